// The bytes in which a commit tells the stream what it did.
#include <gtest/gtest.h>

#include "model/stream.h"

namespace holdfast {
namespace {

InstanceId workflow_numbered(std::size_t n) {
    InstanceId id;
    id.value.bytes[15] = static_cast<std::uint8_t>(n);
    return id;
}

// Sixty records of seven workflows, in which every text repeats in another order.
RoundRecords mixed_round() {
    RoundRecords round{.at = Moment{std::chrono::microseconds(1'234'567)}};
    for (std::size_t n = 0; n < 60; ++n) {
        StreamRecord record{.kind = static_cast<RecordKind>(n % 5),
                            .type = n % 3 == 0 ? "Started" : "other",
                            .instance = workflow_numbered(n % 7),
                            .tenant = n % 11 == 0 ? "other" : "default",
                            .definition = n % 2 == 0 ? "order" : "",
                            .business_key = n % 13 == 0 ? "order" : "",
                            .version = n,
                            .user = n % 4 == 0 ? "ada" : ""};
        if (record.kind >= RecordKind::task) record.subject = workflow_numbered(n).value;
        round.records.push_back(std::move(record));
    }
    return round;
}

TEST(RoundRecords, AreReadAsTheyWereWritten) {
    const RoundRecords round = mixed_round();
    const auto read = decode_records(encode(round));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, round);
    const auto nothing = decode_records(encode(RoundRecords{}));
    ASSERT_TRUE(nothing) << nothing.error().message;
    EXPECT_EQ(*nothing, RoundRecords{});
}

TEST(RoundRecords, HaveEachTextOnceWhateverMemberItIsIn) {
    const std::string bytes = encode(mixed_round());
    for (const std::string text : {"order", "default", "Started", "ada"}) {
        std::size_t found = 0;
        for (auto at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + 1))
            ++found;
        EXPECT_EQ(found, 1u) << text;
    }
}

}  // namespace
}  // namespace holdfast
