// Histories that are trimmed, what cleared instances leave, and bookkeeping: all bounded on every
// store (002.10, 004.9).
#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Trimming : public ::testing::TestWithParam<const char*> {
protected:
    Trimming() : world(GetParam()) { world.define("orders"); }

    Version edit(const InstanceId& id, int n) {
        return std::get<op::Edited>(
                   world.run(op::EditState{
                       .cause = world.cause(),
                       .instance = id,
                       .edit =
                           op::Replace{.state = document(R"({"n":)" + std::to_string(n) + "}")}}))
            .version;
    }
    // An open instance of that version.
    InstanceId grown(Version version) {
        const InstanceId id = world.start("orders", R"({"n":0})").id;
        for (Version n = 1; n < version; ++n) edit(id, static_cast<int>(n));
        return id;
    }
    // Steps move the version without a new state.
    InstanceId stepped(Version version) {
        const InstanceId id = world.start("orders", R"({"n":0})").id;
        for (Version n = 1; n < version; ++n)
            world.run(op::RecordStep{.cause = world.cause(),
                                     .instance = id,
                                     .run = {1, n - 1, {}},
                                     .step_name = "s",
                                     .value = document("1")});
        return id;
    }
    HostLock lock() { return **world.store->lock_host("retention", "a", 1h); }
    TrimmedHistories trim(TrimHistories wanted) {
        wanted.lock = lock();
        auto trimmed = world.store->trim_histories(wanted);
        EXPECT_TRUE(trimmed.has_value()) << (trimmed ? "" : trimmed.error().message);
        return trimmed.value_or(TrimmedHistories{});
    }
    HistoryPage history(const InstanceId& id) {
        return *world.store->ask(HistoryQuery{id, 1, 1'000});
    }
    // The rest of the chain hangs on the anchor, without a hole.
    void expect_chain(const InstanceId& id) {
        const HistoryPage page = history(id);
        Digest previous = page.anchor ? page.anchor->hash : Digest{};
        Version version = page.anchor ? page.anchor->version : 0;
        for (const HistoryRow& row : page.items) {
            EXPECT_EQ(row.version, ++version);
            HistoryRow unhashed = row;
            EXPECT_EQ(chain(previous, unhashed), row.hash) << row.version;
            previous = row.hash;
        }
        EXPECT_EQ(version, world.read(id).version);
    }

    SignalWorld world;
};

TEST_P(Trimming, TheNewestHundredVersionsStay) {
    const InstanceId id = grown(150);
    const TrimmedHistories trimmed = trim({.keep_for = 0s});
    EXPECT_EQ(trimmed.rows, 50u);
    EXPECT_TRUE(trimmed.next.empty());
    const HistoryPage page = history(id);
    EXPECT_EQ(page.items.size(), 100u);
    EXPECT_EQ(page.items.front().version, 51u);
    ASSERT_TRUE(page.anchor.has_value());
    EXPECT_EQ(page.anchor->version, 50u);
    expect_chain(id);
    EXPECT_EQ(trim({.keep_for = 0s}).rows, 0u);
}

TEST_P(Trimming, AYoungHistoryStays) {
    const InstanceId id = grown(120);
    EXPECT_EQ(trim({.keep_for = 1h}).rows, 0u);
    EXPECT_EQ(history(id).items.size(), 120u);
    EXPECT_FALSE(history(id).anchor.has_value());
}

TEST_P(Trimming, ABatchIsBoundedAndTheNextOneContinues) {
    const InstanceId first = grown(130);
    const InstanceId second = grown(130);
    TrimmedHistories trimmed = trim({.keep_for = 0s, .instances = 1, .rows = 20});
    EXPECT_EQ(trimmed.rows, 20u);
    EXPECT_TRUE(trimmed.more);
    EXPECT_EQ(history(first).items.size(), 110u) << "the oldest instance comes first";
    EXPECT_EQ(history(second).items.size(), 130u);
    trimmed = trim({.keep_for = 0s, .instances = 1, .rows = 20, .after = trimmed.next});
    EXPECT_EQ(history(second).items.size(), 110u);
    trimmed = trim({.keep_for = 0s});
    EXPECT_EQ(trimmed.rows, 20u);
    expect_chain(first);
    expect_chain(second);
}

TEST_P(Trimming, TheBaseOfAMergeMayBeOlderThanWhatIsLeft) {
    const InstanceId id = stepped(150);
    EXPECT_EQ(trim({.keep_for = 0s}).rows, 50u);
    EXPECT_EQ(trim({.keep_for = 0s, .rows = 1}).rows, 0u);
    const auto outcome =
        world.run(op::EditState{.cause = world.cause(),
                                .instance = id,
                                .expected = 120,
                                .edit = op::Replace{.state = document(R"({"n":0,"m":1})")},
                                .on_conflict = OnConflict::merge});
    EXPECT_TRUE(std::holds_alternative<op::Edited>(outcome)) << "the base was lost";
    const auto too_old =
        world.run(op::EditState{.cause = world.cause(),
                                .instance = id,
                                .expected = 20,
                                .edit = op::Replace{.state = document(R"({"n":0,"k":1})")},
                                .on_conflict = OnConflict::merge});
    ASSERT_TRUE(std::holds_alternative<op::Stale>(too_old));
    EXPECT_EQ(std::get<op::Stale>(too_old).resolution, Resolution::base_missing);
}

TEST_P(Trimming, NothingIsTrimmedUnderALockOfAnother) {
    const InstanceId id = grown(110);
    HostLock old = lock();
    old.owner = "b";
    const auto trimmed = *world.store->trim_histories({.keep_for = 0s, .lock = old});
    EXPECT_FALSE(trimmed.lock_held);
    EXPECT_EQ(history(id).items.size(), 110u);
}

TEST_P(Trimming, ADryRunCountsAndTrimsNothing) {
    const InstanceId id = grown(110);
    const auto counted = *world.store->trim_histories({.keep_for = 0s, .dry_run = true});
    EXPECT_EQ(counted.rows, 10u);
    EXPECT_EQ(history(id).items.size(), 110u);
    EXPECT_FALSE(history(id).anchor);
    EXPECT_EQ(trim({.keep_for = 0s}).rows, 10u);
}

TEST_P(Trimming, EndedWorkersAreForgotten) {
    const auto is_known = [&](const NodeId& id) {
        const auto nodes = *world.store->ask(ListNodes{});
        return std::ranges::find(nodes, id, &NodeRow::id) != nodes.end();
    };
    const auto lives = world.ids.next<NodeId>();
    const auto ended = world.ids.next<NodeId>();
    const auto join = [&](const NodeId& id, std::chrono::microseconds lease) {
        ASSERT_TRUE(
            world.store->join({.id = id, .name = "w", .lease = lease, .kind = HolderKind::worker}));
    };
    join(ended, 1us);
    join(lives, 1h);
    for (int i = 0; i < 10; ++i) world.start("orders", "{}");  // time passes
    world.store->prune({.keep_records = 1h, .lock = lock()}).value();
    EXPECT_TRUE(is_known(lives));
    world.store->prune({.keep_records = 0s, .lock = lock()}).value();
    EXPECT_FALSE(is_known(ended));
    EXPECT_TRUE(is_known(lives));
}

TEST_P(Trimming, ConflictsOfOpenInstancesHaveAWindow) {
    const InstanceId id = world.start("orders", "{}").id;
    const auto refuse = [&](Version expected) {
        const auto stale =
            world.run(op::EditState{.cause = world.cause(),
                                    .instance = id,
                                    .expected = expected,
                                    .edit = op::Replace{.state = document(R"({"n":1})")}});
        EXPECT_TRUE(std::holds_alternative<op::Stale>(stale));
    };
    for (Version i = 0; i < 3; ++i) refuse(7 + i);
    EXPECT_EQ(world.store->prune({.lock = lock()})->rows, 0u) << "with their instance, unless set";
    EXPECT_EQ(world.store->prune({.keep_conflicts = 1h, .lock = lock()})->rows, 0u);
    EXPECT_EQ(world.store->prune({.keep_conflicts = 0s, .dry_run = true})->rows, 3u);
    EXPECT_EQ(world.store->ask(ConflictQuery{})->items.size(), 3u);
    EXPECT_EQ(world.store->prune({.keep_conflicts = 0s, .lock = lock()})->rows, 3u);
    EXPECT_TRUE(world.store->ask(ConflictQuery{})->items.empty());
    refuse(20);
    EXPECT_EQ(world.store->ask(ConflictQuery{})->items.size(), 1u);
}

TEST_P(Trimming, WhatAClearedInstanceLeftHasAWindow) {
    const InstanceId cleared = grown(3);
    const InstanceId again = grown(3);
    for (const InstanceId& id : {cleared, again})
        world.run(op::Clear{.cause = world.cause(), .instance = id});
    Instance reborn;
    reborn.id = again;
    world.run(op::Write{.cause = world.cause(), .instance = reborn});
    EXPECT_EQ(world.store->prune({.lock = lock()})->rows, 0u) << "for ever, unless set";
    EXPECT_EQ(world.store->prune({.keep_cleared = 1h, .lock = lock()})->rows, 0u);
    EXPECT_EQ(history(cleared).items.size(), 4u);
    EXPECT_EQ(world.store->prune({.keep_cleared = 0s, .lock = lock()})->rows, 4u);
    EXPECT_TRUE(history(cleared).items.empty());
    EXPECT_EQ(history(again).items.size(), 5u) << "it lives again";
}

TEST_P(Trimming, RoundsAndFatesThatBelongToNoInstanceHaveAWindowOfTheirOwn) {
    if (world.place.kind() == "memory") return;  // its rounds go with the process
    for (int i = 0; i < 30; ++i) world.start("orders", "{}");
    const auto rounds = [&] {
        world.writer.reset();
        world.coordinator.reset();
        world.store.reset();
        const std::string count = world.place.query("select count(*) from rounds");
        world.restart();
        return std::stoul(count);
    };
    ASSERT_GE(rounds(), 30u);
    const Pruned kept = *world.store->prune({.keep_for = 24h, .lock = lock()});
    EXPECT_EQ(kept.rows, 0u);
    const Pruned some =
        *world.store->prune({.keep_for = 24h, .keep_records = 0s, .limit = 2, .lock = lock()});
    EXPECT_EQ(some.rows, 20u) << "a batch is bounded";
    EXPECT_TRUE(some.more);
    world.store->prune({.keep_for = 24h, .keep_records = 0s, .lock = lock()}).value();
    EXPECT_LE(rounds(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Trimming, all_stores(), store_name);

class StaleSearch : public Trimming {
protected:
    StalePage find(FindStale query) {
        query.unchanged_since = *world.store->ask(FindTime{}) + 1h;
        auto page = world.store->ask(query);
        EXPECT_TRUE(page.has_value()) << (page ? "" : page.error().message);
        return page.value_or(StalePage{});
    }
    bool is_found(const InstanceId& id) {
        const auto found = find({}).candidates;
        return std::ranges::find(found, id) != found.end();
    }
    InstanceId start() { return world.start("orders", "{}").id; }
};

TEST_P(StaleSearch, ReachesTheOldestFirstAndEveryOne) {
    std::vector<InstanceId> ids;
    for (int i = 0; i < 7; ++i) ids.push_back(start());
    std::vector<InstanceId> found;
    std::string after;
    do {
        const StalePage page = find({.look_at = 3, .after = after});
        EXPECT_LE(page.candidates.size(), 3u);
        found.insert(found.end(), page.candidates.begin(), page.candidates.end());
        after = page.next;
    } while (!after.empty());
    EXPECT_EQ(found, ids);
}

TEST_P(StaleSearch, SparesWhatChangedOrIsNeeded) {
    const InstanceId lonely = start();
    const InstanceId pending = start();
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = world.ids.next<EventId>(),
                            .event_name = "go",
                            .target = pending,
                            .value = document("1")});
    const InstanceId awaited = start();
    const InstanceId held = start();
    const auto wait_for = [&](const InstanceId& other) {
        const InstanceId waiter = start();
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = waiter,
                              .run = {1, 0, {}},
                              .wait = {.workflows = {other}}});
        return waiter;
    };
    wait_for(awaited);
    // Its wait is not registered while it is paused; it waits all the same.
    world.run(op::Pause{.cause = world.cause(), .instance = wait_for(held)});
    EXPECT_TRUE(is_found(lonely));
    EXPECT_FALSE(is_found(pending));
    EXPECT_FALSE(is_found(awaited));
    EXPECT_FALSE(is_found(held));
    const auto none =
        *world.store->ask(FindStale{.unchanged_since = *world.store->ask(FindTime{}) - 1h});
    EXPECT_TRUE(none.candidates.empty()) << "all of them changed since";
}

INSTANTIATE_TEST_SUITE_P(Stores, StaleSearch, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
