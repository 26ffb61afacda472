// What a round has read, compared with what an operation needs.
#include "store/read_set.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

InstanceId nth_instance(std::uint8_t n) {
    InstanceId id;
    id.value.bytes[15] = n;
    return id;
}

ReadSet end_of(std::uint8_t n) {
    ReadSet reads;
    reads.instance(nth_instance(n), Depth::row);
    reads.ending_inbox(nth_instance(n));
    reads.completion_waiters(nth_instance(n));
    reads.open_tasks(nth_instance(n));
    return reads;
}

TEST(ReadSet, OfARoundCoversThatOfEachOfItsOperations) {
    ReadSet round;
    for (std::uint8_t n = 200; n > 0; n -= 2) round.merge(end_of(n));
    for (std::uint8_t n = 2; n <= 200; n += 2) EXPECT_TRUE(round.covers(end_of(n))) << int(n);
    for (std::uint8_t n = 1; n <= 201; n += 2) EXPECT_FALSE(round.covers(end_of(n))) << int(n);
    EXPECT_TRUE(round.covers({}));
    EXPECT_FALSE(ReadSet().covers(end_of(2)));
}

TEST(ReadSet, DoesNotCoverOneMoreReadOfAnyKind) {
    const ReadSet round = end_of(1);
    const std::pair<const char*, void (*)(ReadSet&)> more[] = {
        {"depth", [](ReadSet& reads) { reads.instance(nth_instance(1), Depth::document); }},
        {"past", [](ReadSet& r) { r.instance(nth_instance(1), Depth::row, Past::looked_up); }},
        {"definition", [](ReadSet& reads) { reads.definition({"default", "order"}); }},
        {"version", [](ReadSet& r) { r.definition_version({"default", {"order", 1}}); }},
        {"state", [](ReadSet& reads) { reads.state_at(nth_instance(1), 1); }},
        {"checkpoint", [](ReadSet& reads) { reads.checkpoint(nth_instance(1), "before"); }},
        {"answer", [](ReadSet& reads) { reads.answer({"default", "key"}); }},
        {"inbox", [](ReadSet& reads) { reads.inbox(nth_instance(1), {"paid"}); }},
        {"inbox size", [](ReadSet& reads) { reads.inbox_size(nth_instance(1)); }},
        {"releases", [](ReadSet& reads) { reads.releases(nth_instance(1), {"paid"}); }},
        {"broadcasts", [](ReadSet& reads) { reads.broadcasts({"default", {"paid"}}); }},
        {"waits", [](ReadSet& reads) { reads.waits({"default", {"paid"}}); }},
        {"channel size", [](ReadSet& reads) { reads.channel_size({"default", {"paid"}}); }},
        {"event", [](ReadSet& reads) { reads.event({nth_instance(1).value}); }},
        {"receipt", [](ReadSet& r) { r.receipt({nth_instance(1).value}, nth_instance(1)); }},
        {"step", [](ReadSet& reads) { reads.step(nth_instance(1), 0); }},
        {"value", [](ReadSet& reads) { reads.value({}); }},
        {"children", [](ReadSet& reads) { reads.children(nth_instance(1)); }},
        {"signal", [](ReadSet& reads) { reads.signal({nth_instance(1).value}); }},
        {"continuation", [](ReadSet& reads) { reads.continuation(nth_instance(1)); }},
        {"task", [](ReadSet& reads) { reads.task({nth_instance(1).value}); }}};
    for (const auto& [kind, add] : more) {
        ReadSet needed = end_of(1);
        add(needed);
        EXPECT_FALSE(round.covers(needed)) << kind;
        EXPECT_TRUE(needed.covers(round)) << kind;
        ReadSet wider = round;
        wider.merge(needed);
        EXPECT_TRUE(wider.covers(needed)) << kind;
    }
}

}  // namespace
}  // namespace holdfast
