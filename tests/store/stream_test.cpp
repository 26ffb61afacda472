// The stream of changes: what every commit did, in an order that never gains anything behind what
// was read (I53).
#include <gtest/gtest.h>

#include "store/postgres/connection/connection.h"
#include "store/stream_query.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Streams : public ::testing::TestWithParam<const char*> {
protected:
    Streams() { world.define("order"); }

    StreamPage read(std::uint64_t after, std::size_t limit = 100) {
        auto page = world.store->ask(StreamQuery{.after = after, .limit = limit});
        EXPECT_TRUE(page.has_value()) << (page ? "" : page.error().message);
        return page ? *std::move(page) : StreamPage{};
    }
    std::uint64_t now() { return world.store->ask(StreamQuery{})->reached; }
    // "Started 1" and so on, in the order of the stream.
    static std::vector<std::string> told(const StreamPage& page) {
        std::vector<std::string> all;
        for (const auto& row : page.rows)
            for (const StreamRecord& record : row.round.records)
                all.push_back(record.type + " " + std::to_string(record.version));
        return all;
    }
    void edit(const Instance& instance, Version version) {
        world.run(op::EditState{.cause = world.cause("ada"),
                                .instance = instance.id,
                                .expected = version,
                                .edit = op::Replace{document(R"({"n": 1})")}});
    }

    World world{GetParam()};
};

TEST_P(Streams, TellEveryChangeWithItsWorkflowAndItsUser) {
    const std::uint64_t begin = now();
    const Instance instance = world.start("order", "{}", {.key = "A-1"});
    world.run(op::Cancel{.cause = world.cause("ada"), .instance = instance.id});
    const StreamPage page = read(begin);
    EXPECT_EQ(told(page), (std::vector<std::string>{"Started 1", "Cancelled 2"}));
    const StreamRecord& last = page.rows.back().round.records.back();
    EXPECT_EQ(last, (StreamRecord{.kind = RecordKind::workflow,
                                  .type = "Cancelled",
                                  .instance = instance.id,
                                  .tenant = "default",
                                  .definition = "order",
                                  .business_key = "A-1",
                                  .version = 2,
                                  .user = "ada"}));
    EXPECT_EQ(page.rows.back().round.at, world.history(instance.id).back().at);
    EXPECT_EQ(page.reached, page.newest);
    EXPECT_EQ(page.reached, page.rows.back().position);
}

// It has no history row, but changes what a page shows of the workflow.
TEST_P(Streams, TellOfACheckpoint) {
    const Instance instance = world.start("order", "{}");
    const std::uint64_t begin = now();
    world.run(op::Checkpoint{
        .cause = world.cause("ada"), .instance = instance.id, .checkpoint = "before"});
    EXPECT_EQ(told(read(begin)), (std::vector<std::string>{"CheckpointTaken 1"}));
}

TEST_P(Streams, GoOnBehindAPositionAlsoAfterARestart) {
    const std::uint64_t begin = now();
    for (int i = 0; i < 3; ++i) world.start("order", "{}");
    const StreamPage first = read(begin, 2);
    ASSERT_EQ(first.rows.size(), 2u);
    EXPECT_EQ(first.reached, first.rows.back().position);
    if (world.place.kind() != "memory") world.restart();
    EXPECT_EQ(read(first.reached).rows.size(), 1u);
    const std::uint64_t end = now();
    EXPECT_TRUE(read(end).rows.empty());
    world.start("order", "{}");
    ASSERT_EQ(read(end).rows.size(), 1u);
    EXPECT_GT(read(end).rows[0].position, end);
}

TEST_P(Streams, ARoundThatTellsNothingHasNoPosition) {
    const std::uint64_t begin = now();
    world.define("other");
    EXPECT_EQ(now(), begin);
    if (world.place.kind() == "memory") return;
    world.restart();
    world.define("another");
    EXPECT_EQ(now(), begin);
    const HostLock lock = **world.store->lock_host("retention", "a", 1h);
    world.store->prune({.keep_for = 24h, .keep_records = 0s, .lock = lock}).value();
    world.restart();
    world.define("one more");
    EXPECT_EQ(now(), begin);
    EXPECT_EQ(read(begin).rows.size(), 0u);
}

TEST_P(Streams, TellOfTasks) {
    const Instance instance = world.start("order", "{}");
    const std::uint64_t begin = now();
    const auto created = world.run(op::CreateTask{.cause = world.cause(),
                                                  .instance = instance.id,
                                                  .run = {.run = 1, .index = 0},
                                                  .spec = {.name = "look"}});
    const StreamPage page = read(begin);
    ASSERT_EQ(page.rows.size(), 1u);
    const auto& records = page.rows[0].round.records;
    ASSERT_FALSE(records.empty());
    EXPECT_EQ(records.back().kind, RecordKind::task);
    EXPECT_EQ(records.back().definition, "order");
    EXPECT_EQ(records.back().version, 1u);
    EXPECT_NE(records.back().subject, Uuid{});
}

TEST_P(Streams, WhatRetentionDeletedIsKnownToBeForgotten) {
    for (int i = 0; i < 3; ++i) world.start("order", "{}");
    const std::uint64_t end = now();
    const HostLock lock = **world.store->lock_host("retention", "a", 1h);
    EXPECT_EQ(read(0).forgotten, 0u);
    world.store->prune({.keep_for = 24h, .keep_records = 0s, .lock = lock}).value();
    const StreamPage page = read(0);
    EXPECT_GT(page.forgotten, 0u);
    for (const auto& row : page.rows) EXPECT_GT(row.position, page.forgotten);
    EXPECT_EQ(now(), end);
    if (world.place.kind() != "memory") world.restart();
    world.start("order", "{}");
    EXPECT_GT(now(), end) << "positions are never given again";
}

INSTANTIATE_TEST_SUITE_P(Stores, Streams, all_stores(), store_name);

// A commit that was given its position earlier may become visible later.
TEST(StreamOnPostgres, WaitsForACommitThatWasGivenAnEarlierPosition) {
    World world("postgres");
    world.define("order");
    const std::uint64_t begin = world.store->ask(StreamQuery{})->reached;
    auto slow = *postgres::Connection::open({world.place.url(), 10s}, postgres::Role::writer);
    const auto run = [&](std::string_view text) {
        slow->queue_once(text);
        const auto done = slow->exchange();
        ASSERT_TRUE(done.has_value()) << done.error().message;
    };
    run("begin");
    slow->queue("write_round_records",
                postgres::Parameters()
                    .add(world.ids.next<RoundId>())
                    .add(postgres::Bytea{encode(RoundRecords{.at = {}, .records = {{}}})}));
    ASSERT_TRUE(slow->exchange().has_value());
    world.start("order", "{}");
    const auto waiting = *world.store->ask(StreamQuery{.after = begin});
    EXPECT_TRUE(waiting.rows.empty());
    EXPECT_EQ(waiting.reached, begin);
    EXPECT_EQ(waiting.newest, begin + 2);
    run("commit");
    const auto page = *world.store->ask(StreamQuery{.after = begin});
    ASSERT_EQ(page.rows.size(), 2u);
    EXPECT_EQ(page.rows[0].position, begin + 1);
    EXPECT_EQ(page.reached, begin + 2);
}

TEST(StreamRecords, AreReadAsTheyWereWritten) {
    RoundRecords round{.at = Moment{1'234'567us}, .records = {}};
    for (const RecordKind kind : {RecordKind::workflow, RecordKind::task, RecordKind::dead_letter})
        round.records.push_back({.kind = kind,
                                 .type = "Type",
                                 .instance = {},
                                 .tenant = "default",
                                 .definition = std::string(300, 'd'),
                                 .business_key = {},
                                 .version = 1'000'000,
                                 .user = "ada",
                                 .subject = {}});
    const std::string bytes = encode(round);
    EXPECT_EQ(*decode_records(bytes), round);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(decode_records(std::string_view(bytes).substr(0, size))) << size;
    EXPECT_FALSE(decode_records(bytes + '\0'));
}

TEST(StreamPositions, AreTexts) {
    for (const StreamPosition& position :
         {StreamPosition{0}, StreamPosition{17}, StreamPosition{17, 3}})
        EXPECT_EQ(parse_stream_position(to_string(position)), position);
    for (const char* wrong : {"", ".", "1.", ".1", "-1", "01", "1.2.3", "1 ", "9223372036854775808",
                              "1.18446744073709551615"})
        EXPECT_FALSE(parse_stream_position(wrong)) << wrong;
    EXPECT_LT((StreamPosition{17, 3}), StreamPosition{17});
    EXPECT_LT(StreamPosition{16}, (StreamPosition{17, 0}));
}

}  // namespace
}  // namespace holdfast::testing
