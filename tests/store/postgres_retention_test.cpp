// What retention deletes on PostgreSQL, and what it leaves.
#include "support/postgres_nodes.h"

namespace holdfast::postgres {
namespace {

TEST_F(PostgresNodes, RetentionDeletesEndedInstancesThatNothingProtects) {
    const InstanceId ended = started();
    const InstanceId open = started();
    const InstanceId with_signal = started();
    end(ended);
    end(with_signal);
    SignalRow row = signal();
    row.instance = with_signal;
    enqueued(row);
    script(
        "update instances set completed_at = now() - interval '2 days' "
        "where completed_at is not null");
    Prune prune{.keep_for = std::chrono::hours(24)};
    prune.lock = {.name = "retention", .owner = "one", .term = 1};
    const auto without_lock = *store_->prune(prune);
    EXPECT_FALSE(without_lock.lock_held);
    EXPECT_EQ(without_lock.instances, 0u);
    prune.lock = **store_->lock_host("retention", "one", 1h);
    prune.dry_run = true;
    EXPECT_EQ(store_->prune(prune)->instances, 1u);
    EXPECT_EQ(count("instances"), 3u);
    prune.dry_run = false;
    prune.keep_for_by_definition["order"] = std::chrono::hours(72);
    EXPECT_EQ(store_->prune(prune)->instances, 0u) << "its definition keeps it longer";
    prune.keep_for_by_definition.clear();
    const auto pruned = store_->prune(prune);
    ASSERT_TRUE(pruned) << pruned.error().message;
    EXPECT_TRUE(pruned->lock_held);
    EXPECT_EQ(pruned->instances, 1u);
    EXPECT_EQ(pruned->eligible, 0u);
    EXPECT_FALSE(*store_->ask(FindInstance{ended, Depth::row}));
    EXPECT_TRUE(*store_->ask(FindInstance{open, Depth::row}));
    EXPECT_TRUE(*store_->ask(FindInstance{with_signal, Depth::row}));
    EXPECT_EQ(count("history where instance_id = '" + to_string(ended) + "'"), 0u);
}

TEST_F(PostgresNodes, RetentionKeepsAChildOfAnOpenParentAndAParentOfAnOpenChild) {
    const InstanceId parent = started();
    const InstanceId child = started();
    script("update instances set parent_id = '" + to_string(parent) + "' where id = '" +
           to_string(child) + "'");
    const auto prune = [&] {
        script(
            "update instances set completed_at = now() - interval '2 days' "
            "where completed_at is not null");
        Prune batch{.keep_for = std::chrono::hours(24)};
        batch.lock = **store_->lock_host("retention", "one", 1h);
        return store_->prune(batch)->instances;
    };
    end(child);
    EXPECT_EQ(prune(), 0u);
    script("update instances set completed_at = null where id = '" + to_string(child) + "'");
    end(parent);
    EXPECT_EQ(prune(), 0u);
    script("update instances set completed_at = now() where id = '" + to_string(child) + "'");
    EXPECT_EQ(prune(), 2u);
}

TEST_F(PostgresNodes, RetentionDeletesOldRoundsOperationsAndExpiredEvents) {
    started();
    script(
        "insert into rounds values ('00000000-0000-7000-8000-000000000000', 'committed', "
        "now() - interval '2 days')");
    script(
        "insert into operations (client_key, request, outcome, operation_id, at) values "
        "('old', '', '{}', gen_random_uuid(), now() - interval '2 days')");
    script(
        "insert into pending_events (event_id, name, value, on_target_ended, keep, "
        "accepted_at, expires_at, operation_id) values (gen_random_uuid(), 'e', '{}', "
        "'discard', false, now(), now() - interval '1 second', gen_random_uuid())");
    Prune batch;
    batch.lock = **store_->lock_host("retention", "one", 1h);
    const auto pruned = store_->prune(batch);
    ASSERT_TRUE(pruned) << pruned.error().message;
    EXPECT_EQ(pruned->rows, 3u);
    EXPECT_EQ(count("rounds"), 1u) << "that of the start";
    EXPECT_EQ(count("operations"), 0u);
    EXPECT_EQ(count("pending_events"), 0u);
    EXPECT_EQ(count("event_fates where fate = 'expired'"), 1u);
}

}  // namespace
}  // namespace holdfast::postgres
