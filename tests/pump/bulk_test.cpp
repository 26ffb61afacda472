// Bulk jobs on every store: each workflow that the query finds is changed once, whatever happens to
// whoever does it.
#include <gtest/gtest.h>

#include "http/input/list_query.h"
#include "pump/bulk/bulk_runner.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Bulk : public ::testing::TestWithParam<const char*> {
protected:
    Bulk() : world(GetParam()) {
        world.define("order");
        world.define(std::string(bulk_definition));
    }

    std::vector<InstanceId> orders(std::size_t count) {
        std::vector<InstanceId> ids;
        for (std::size_t i = 0; i < count; ++i) ids.push_back(world.start("order", "{}").id);
        return ids;
    }
    InstanceId begin(const std::string& action,
                     const std::string& query = R"({"definition": "order", "status": "open"})") {
        op::Start start{.cause = world.cause("ann"), .definition = std::string(bulk_definition)};
        start.state = document(R"({"query": )" + query + R"(, "action": )" + action +
                               R"(, "reason": "a storm"})");
        return std::get<op::Started>(world.run(std::move(start))).instance.id;
    }
    BulkRunner runner(const std::string& node = "a") {
        return BulkRunner({.store = *world.store,
                           .coordinator = *world.coordinator,
                           .ids = world.ids,
                           .node = node,
                           .read_query = http::read_filters});
    }
    // Until no job is open.
    void finish(BulkRunner runner) {
        for (int i = 0; i < 100; ++i) {
            const auto next = runner.run();
            ASSERT_TRUE(next.has_value()) << next.error().message;
            if (*next == BulkRunner::Next::idle) return;
        }
        ADD_FAILURE() << "a job does not end";
    }
    BulkJob job(const InstanceId& id) {
        return bulk_job_from(world.read(id).state.value()).value();
    }
    std::size_t rows(const InstanceId& id, HistoryType type) {
        std::size_t count = 0;
        for (const HistoryRow& row : world.history(id)) count += row.type == type;
        return count;
    }

    World world;
};

TEST_P(Bulk, EveryWorkflowThatMatchesIsChangedOnceWithWhoAndWhy) {
    const auto ids = orders(250);
    world.run(op::Cancel{.cause = world.cause(), .instance = ids[0]});
    const InstanceId id = begin(R"({"do": "pause"})");
    const InstanceId later = world.start("order", "{}").id;
    finish(runner());
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(job(id).matched, 250u) << "the one that began before the job was looked at, too";
    EXPECT_EQ(job(id).done, 250u);
    EXPECT_EQ(job(id).refused, 0u);
    EXPECT_FALSE(world.read(ids[0]).paused);
    EXPECT_TRUE(world.read(later).paused);
    const HistoryRow row = world.history(ids[1]).back();
    EXPECT_EQ(row.type, HistoryType::paused);
    EXPECT_EQ(row.payload, R"({"reason":"a storm"})");
    EXPECT_EQ(row.cause.caller.user, "ann");
    EXPECT_EQ(row.cause.correlation, "bulk/" + to_string(id));
}

// As after a kill between the commit of the operations and that of the job's state.
TEST_P(Bulk, ABatchThatWasDoneBeforeAKillIsCountedOnceAndDoneOnce) {
    const auto ids = orders(5);
    const InstanceId id = begin(R"({"do": "cancel"})");
    BulkRunner first = runner();
    ASSERT_TRUE(first.run().has_value());  // counts
    BulkJob begun = job(id);
    begun.batch = {ids[4], ids[3], ids[2]};
    begun.cursor = world.store
                       ->ask(InstanceQuery{.statuses = {Status::running, Status::suspended},
                                           .definition = "order",
                                           .limit = 3})
                       ->next;
    world.run(op::EditState{.cause = world.cause(),
                            .instance = id,
                            .edit = op::Replace{Document::of(to_json(begun)), {}}});
    const auto done =
        apply_bulk(*world.store, *world.coordinator, begun, world.read(id), {ids[4], ids[3]});
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(rows(ids[4], HistoryType::cancelled), 1u);
    if (std::string(GetParam()) != "memory") world.restart();
    finish(runner());
    EXPECT_EQ(job(id).done, 5u);
    EXPECT_EQ(job(id).refused, 0u);
    for (const InstanceId& one : ids) EXPECT_EQ(rows(one, HistoryType::cancelled), 1u);
}

TEST_P(Bulk, AStoppedJobDoesNoMore) {
    orders(150);
    const InstanceId id = begin(R"({"do": "pause"})");
    BulkRunner one = runner();
    ASSERT_TRUE(one.run().has_value());
    ASSERT_TRUE(one.run().has_value());
    EXPECT_EQ(job(id).done, 100u);
    world.run(op::Cancel{.cause = world.cause(), .instance = id, .reason = "enough"});
    finish(runner());
    EXPECT_EQ(job(id).done, 100u);
    EXPECT_EQ(world.read(id).status, Status::cancelled);
    const auto paused = world.store->ask(InstanceQuery{.definition = "order", .limit = 200});
    EXPECT_EQ(
        std::ranges::count_if(paused->items, [](const auto& item) { return item.instance.paused; }),
        100);
}

TEST_P(Bulk, RefusalsAreCountedByTheirReason) {
    const auto ids = orders(3);
    world.define("order", R"({"properties": {"n": {"type": "number"}}})");
    world.run(op::EditState{.cause = world.cause(),
                            .instance = ids[1],
                            .edit = op::Replace{document(R"({"n": "x"})"), {}}});
    const InstanceId id = begin(R"({"do": "migrate", "to": 2})");
    finish(runner());
    EXPECT_EQ(job(id).done, 2u);
    EXPECT_EQ(job(id).refused, 1u);
    ASSERT_EQ(job(id).refusals.size(), 1u);
    EXPECT_EQ(job(id).refusals[0].count, 1u);
    EXPECT_EQ(job(id).refusals[0].example, to_string(ids[1]));
    EXPECT_EQ(world.read(ids[0]).definition.version, 2u);
    EXPECT_EQ(world.read(ids[1]).definition.version, 1u);
}

TEST_P(Bulk, AnEventGoesToEachOnce) {
    const auto ids = orders(3);
    for (const InstanceId& id : ids)
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = id,
                              .run = {.run = 1, .index = 0},
                              .wait = {.names = {EventKey("paid")}}});
    const InstanceId id = begin(R"({"do": "send", "event": "paid", "value": 7})");
    finish(runner());
    EXPECT_EQ(job(id).done, 3u);
    for (const InstanceId& one : ids) EXPECT_EQ(rows(one, HistoryType::delivered), 1u);
}

TEST_P(Bulk, JobsAreDoneInTurnByOneNode) {
    orders(150);
    const InstanceId first = begin(R"({"do": "pause"})");
    const InstanceId second = begin(R"({"do": "resume"})");
    BulkRunner here = runner("a");
    BulkRunner there = runner("b");
    ASSERT_EQ(here.run().value(), BulkRunner::Next::more);
    EXPECT_EQ(there.run().value(), BulkRunner::Next::other);
    ASSERT_EQ(here.run().value(), BulkRunner::Next::more);
    EXPECT_EQ(job(first).done, 100u);
    EXPECT_EQ(job(second).done, 100u);
    finish(runner("a"));
    EXPECT_EQ(there.run().value(), BulkRunner::Next::idle);
}

TEST_P(Bulk, AJobThatCannotBeReadFails) {
    const InstanceId wrong = begin(R"({"do": "jump"})");
    const InstanceId unknown = begin(R"({"do": "pause"})", R"({"colour": "red"})");
    finish(runner());
    EXPECT_EQ(world.read(wrong).status, Status::failed);
    EXPECT_EQ(world.read(unknown).status, Status::failed);
}

TEST_P(Bulk, NoJobChangesJobs) {
    orders(2);
    const InstanceId id = begin(R"({"do": "cancel"})", R"({"status": "open"})");
    finish(runner());
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(job(id).done, 2u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Bulk, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
