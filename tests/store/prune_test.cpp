// What retention deletes and what it keeps (004.9, I31, I44).
#include <rapidcheck.h>
#include <rapidcheck/detail/Configuration.h>

#include <thread>

#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// Ended instances are kept for an hour; those that ended two hours ago may be deleted.
constexpr auto window = 1h;
constexpr auto long_ago = 2h;

class PruneWorld : public SignalWorld {
public:
    explicit PruneWorld(const std::string& kind) : SignalWorld(kind) {}

    Instance ended_instance(std::chrono::microseconds ago = long_ago) {
        Instance instance = fresh_instance();
        instance.status = Status::succeeded;
        instance.completed_at = past(ago);
        return instance;
    }
    InstanceId put(const Instance& instance) {
        round(instance.id, [&](View& view) { insert(view, instance, cause()); });
        return instance.id;
    }
    InstanceId ended(std::chrono::microseconds ago = long_ago) { return put(ended_instance(ago)); }

    HostLock lock() { return **store->lock_host("retention", "a", 1h); }
    Pruned prune(Prune wanted) {
        auto pruned = store->prune(wanted);
        EXPECT_TRUE(pruned.has_value()) << (pruned ? "" : pruned.error().message);
        return pruned ? *pruned : Pruned{};
    }
    Pruned prune() { return prune({.keep_for = window, .lock = lock()}); }
    // Of an instance in any state; a task of an ended one is left by an older program.
    void open_task(const InstanceId& id) {
        ReadSet reads;
        reads.instance(id, Depth::row);
        round(reads, [&](View& view) { add_task(view, id); });
    }
    void add_task(View& view, const InstanceId& id) {
        HumanTask task{.id = ids.next<TaskId>(), .instance = id, .spec = {.name = "look"}};
        task.definition = "orders";
        task.created_at = view.now() - long_ago;
        view.tasks().accept(task,
                            {.type = TaskEventType::created,
                             .caller = {},
                             .detail = {},
                             .operation = ids.next<OperationId>()},
                            task.created_at);
    }
    bool has(const InstanceId& id) { return store->ask(FindInstance{id, Depth::row})->has_value(); }
};

class Retention : public ::testing::TestWithParam<const char*> {
protected:
    Retention() : world(GetParam()) {}

    // Prunes, and returns whether the instance still exists.
    bool stays(const InstanceId& id) {
        world.prune();
        return world.has(id);
    }

    PruneWorld world;
};

TEST_P(Retention, InstancesThatEndedLongAgoAreDeleted) {
    const InstanceId id = world.ended();
    const Pruned pruned = world.prune();
    EXPECT_TRUE(pruned.lock_held);
    EXPECT_EQ(pruned.instances, 1u);
    EXPECT_GE(pruned.rows, 2u);
    EXPECT_EQ(pruned.eligible, 0u);
    EXPECT_FALSE(world.has(id));
    EXPECT_TRUE(world.history(id).empty());
    EXPECT_EQ(world.prune().instances, 0u);
}

TEST_P(Retention, InstancesThatEndedRecentlyStay) { EXPECT_TRUE(stays(world.ended(30min))); }

TEST_P(Retention, OpenInstancesStay) {
    Instance running = world.fresh_instance();
    running.created_at = running.updated_at = world.past(1'000h);
    const InstanceId id = world.put(running);
    EXPECT_TRUE(stays(id));
    EXPECT_TRUE(stays(world.suspended({.names = {"go"}, .until = world.past(500h)}).id));
}

TEST_P(Retention, ADefinitionMayHaveItsOwnRetentionPeriod) {
    Instance kept = world.ended_instance();
    kept.definition.key = "kept";
    Instance short_lived = world.ended_instance(10min);
    short_lived.definition.key = "short";
    for (const Instance& instance : {kept, short_lived}) world.put(instance);
    const Pruned pruned = world.prune({.keep_for = window,
                                       .keep_for_by_definition = {{"kept", 24h}, {"short", 1min}},
                                       .lock = world.lock()});
    EXPECT_EQ(pruned.instances, 1u);
    EXPECT_TRUE(world.has(kept.id));
    EXPECT_FALSE(world.has(short_lived.id));
}

TEST_P(Retention, AnInstanceWithASignalStays) {
    const InstanceId id = world.ended();
    world.enqueued(id);
    EXPECT_TRUE(stays(id));
}

TEST_P(Retention, AnInstanceWithAScheduledSignalStays) {
    const InstanceId id = world.ended();
    world.round(ReadSet{}, [&](View& view) {
        view.signals().schedule({world.signal(id, view.now()), view.now() + 1h});
    });
    EXPECT_TRUE(stays(id));
}

TEST_P(Retention, AnInstanceWithAnOpenTaskStays) {
    const InstanceId id = world.ended();
    world.open_task(id);
    EXPECT_TRUE(stays(id));
}

TEST_P(Retention, AnInstanceWithADeadLetterStays) {
    const InstanceId id = world.ended();
    world.bury(world.enqueued(id));
    EXPECT_TRUE(stays(id));
}

TEST_P(Retention, AnInstanceThatAnotherWaitsForStays) {
    const InstanceId id = world.ended();
    world.suspended({.workflows = {id}});
    EXPECT_TRUE(stays(id));
}

// Its wait is not registered; when it is resumed it must find how the other ended.
TEST_P(Retention, AnInstanceThatAPausedOneWaitsForStays) {
    const InstanceId id = world.ended();
    const Instance waiter = world.suspended({.workflows = {id}});
    world.change(waiter.id, [](View&, Instance& instance) { instance.paused = true; });
    EXPECT_TRUE(stays(id));
}

TEST_P(Retention, AChildStaysWithItsOpenParent) {
    const InstanceId open = world.running();
    const InstanceId over = world.ended(10min);
    Instance of_open = world.ended_instance();
    of_open.parent = open;
    Instance of_over = world.ended_instance();
    of_over.parent = over;
    Instance orphan = world.ended_instance();
    orphan.parent = world.ids.next<InstanceId>();
    for (const Instance& child : {of_open, of_over, orphan}) world.put(child);
    EXPECT_EQ(world.prune().instances, 2u);
    EXPECT_TRUE(world.has(of_open.id));
}

TEST_P(Retention, AParentStaysWithItsOpenChild) {
    const InstanceId parent = world.ended();
    Instance child = world.fresh_instance();
    child.parent = parent;
    world.put(child);
    EXPECT_TRUE(stays(parent));
}

TEST_P(Retention, AnInstanceWithAQueuedEventStaysUntilTheEventExpires) {
    const InstanceId id = world.ended();
    const InstanceId other = world.ended();
    world.queued("go", id);
    Event expired = world.event("go", other);
    expired.expires_at = world.past(1min);
    world.queued(expired);
    world.prune();
    EXPECT_TRUE(world.has(id));
    EXPECT_FALSE(world.has(other));
    const auto known = *world.store->ask(FindEvent{expired.id});
    EXPECT_FALSE(known.queued);
    ASSERT_EQ(known.fates.size(), 1u);
    EXPECT_EQ(known.fates[0].fate, EventFate::expired);
}

TEST_P(Retention, ABatchIsBoundedAndCountsTheRest) {
    std::vector<InstanceId> all;
    for (int i = 0; i < 5; ++i) all.push_back(world.ended(long_ago - i * 1min));
    const Pruned dry =
        world.prune({.keep_for = window, .limit = 2, .dry_run = true, .lock = world.lock()});
    EXPECT_EQ(dry.instances, 2u);
    EXPECT_EQ(dry.eligible, 3u);
    for (const InstanceId& id : all) EXPECT_TRUE(world.has(id));
    const Pruned pruned = world.prune({.keep_for = window, .limit = 2, .lock = world.lock()});
    EXPECT_EQ(pruned.instances, 2u);
    EXPECT_EQ(dry.rows, pruned.rows);
    EXPECT_EQ(pruned.eligible, 3u);
    EXPECT_FALSE(world.has(all[0]));
    EXPECT_FALSE(world.has(all[1]));
    EXPECT_TRUE(world.has(all[2]));
}

TEST_P(Retention, ADryRunCountsWhatTheNextBatchesWouldDelete) {
    for (int i = 0; i < 5; ++i) world.ended(long_ago - i * 1min);
    const InstanceId freed = world.ended();
    Event expired = world.event("go", freed);
    expired.expires_at = world.past(1min);
    world.queued(expired);
    const auto batch = [&](std::size_t skip, bool dry) {
        return world.prune({.keep_for = window,
                            .limit = 4,
                            .dry_run = dry,
                            .skip = skip,
                            .lock = dry ? HostLock{} : world.lock()});
    };
    const Pruned first = batch(0, true);
    const Pruned second = batch(4, true);
    EXPECT_EQ(world.store->ask(FindEvent{expired.id})->queued.has_value(), true)
        << "nothing was changed";
    const Pruned deleted = batch(0, false);
    EXPECT_EQ(first.instances, deleted.instances);
    EXPECT_EQ(first.eligible, deleted.eligible);
    EXPECT_EQ(first.rows, deleted.rows);
    const Pruned rest = batch(0, false);
    EXPECT_EQ(rest.instances, 2u) << "the one whose event expired, too";
    EXPECT_EQ(second.instances, rest.instances);
    EXPECT_EQ(second.eligible, 0u);
    EXPECT_EQ(second.rows, rest.rows);
}

TEST_P(Retention, NothingIsDeletedUnderALockOfAnother) {
    const InstanceId id = world.ended();
    const HostLock held = world.lock();
    HostLock older = held;
    older.term = 0;
    HostLock other = held;
    other.owner = "b";
    HostLock unknown = held;
    unknown.name = "none";
    for (const HostLock& lock : {older, other, unknown}) {
        const Pruned pruned = world.prune({.keep_for = window, .lock = lock});
        EXPECT_FALSE(pruned.lock_held);
        EXPECT_EQ(pruned.instances, 0u);
    }
    ASSERT_TRUE(world.store->lock_host("retention", "a", 0us).has_value());
    EXPECT_FALSE(world.prune({.keep_for = window, .lock = held}).lock_held);
    EXPECT_TRUE(world.has(id));
}

// Whoever sends signals to a long-lived instance does not let the ledger grow for ever (15.16).
TEST_P(Retention, AProcessedSignalOfAnOpenInstanceStaysKnownForAMonth) {
    using std::chrono::days;
    const InstanceId id = world.running();
    const auto processed = [&](std::chrono::microseconds ago) {
        const SignalRow done = world.enqueued(id);
        ReadSet reads;
        reads.instance(id, Depth::whole);
        reads.signal(done.id);
        world.round(reads, [&](View& view) { view.signals().consume(done, view.now() - ago); });
        return done.id;
    };
    const SignalId old = processed(days(31));
    const SignalId recent = processed(days(29));
    const Prune wanted{.keep_for = window, .keep_records = 24h, .lock = world.lock()};
    EXPECT_EQ(world.prune(wanted).rows, 1u);
    EXPECT_TRUE(world.known(old).empty());
    EXPECT_FALSE(world.known(recent).empty());
    EXPECT_TRUE(world.has(id));
    EXPECT_EQ(world.prune(wanted).rows, 0u);
}

TEST_P(Retention, EverythingOfAnInstanceIsDeleted) {
    world.define("orders", "", {"a"});
    const Instance started = world.start("orders", R"({"a":1})", {"key", {{"part", "x"}}});
    const InstanceId id = started.id;
    const SignalRow done = world.enqueued(id);
    const Event event = world.event("paid", id);
    ReadSet reads;
    reads.instance(id, Depth::whole);
    reads.signal(done.id);
    world.round(reads, [&](View& view) {
        Instance& instance = view.edit(id);
        instance.status = Status::cancelled;
        instance.completed_at = view.now() - long_ago;
        instance.children.active.push_back({world.ids.next<ActivityInstanceId>(), "a"});
        view.accept(instance,
                    {.type = HistoryType::written, .payload = "{}", .cause = world.cause()});
        view.record(Step{.instance = id, .index = 0, .name = "s", .value = document("1")});
        view.record(Winner{.instance = id, .index = 0, .name = "paid"});
        view.put(Checkpoint{.instance = id, .name = "c", .version = 1, .created_at = view.now()});
        view.signals().consume(done, view.now());
    });
    EXPECT_EQ(world.prune().instances, 1u);
    EXPECT_FALSE(world.has(id));
    EXPECT_TRUE(world.history(id).empty());
    EXPECT_TRUE(world.known(done.id).empty());
    EXPECT_TRUE(world.store->ask(CheckpointQuery{.instance = id})->items.empty());
    EXPECT_FALSE(*world.store->ask(FindJournalEntry{id, 0}));
    if (world.place.kind() == "memory") return;
    world.writer.reset();
    world.coordinator.reset();
    world.store.reset();
    for (const char* table : {"instances", "documents", "activities", "steps", "winning_conditions",
                              "checkpoints", "history", "processed_signals"})
        EXPECT_EQ(world.place.query(std::string("select count(*) from ") + table), "0") << table;
    if (world.place.kind() != "sqlite") return;
    for (const char* table : {"state_paths", "business_parts"})
        EXPECT_EQ(world.place.query(std::string("select count(*) from ") + table), "0") << table;
}

// Between the look at an instance and its deletion others go on: whatever found it alive and gave
// it work keeps it (I44).
TEST_P(Retention, AnInstanceThatGetsWorkWhileRetentionRunsStays) {
    std::vector<InstanceId> ids;
    for (int i = 0; i < 60; ++i) ids.push_back(world.ended());
    const HostLock lock = world.lock();
    std::vector<InstanceId> busy;
    std::size_t kind = 0;
    // A signal, an event, a wait for its end, a child or a task, in turn.
    const auto give_work = [&](const InstanceId& id) {
        const SignalRow row = world.signal(id, world.clock.now());
        const Event event = world.event("go", id);
        Instance other = world.fresh_instance();
        const std::size_t work = kind++ % 5;
        if (work == 2) other.status = Status::suspended;
        if (work == 2) other.waits = {world.waiting({.workflows = {id}})};
        if (work == 3) other.parent = id;
        ReadSet reads;
        reads.instance(id, Depth::row);
        reads.instance(other.id, Depth::whole);
        reads.inbox(id, {event.name, ""});
        bool lives = false;
        world.round(reads, [&](View& view) {
            lives = view.find(id) != nullptr;
            if (!lives) return;
            if (work == 0) view.signals().enqueue(row);
            if (work == 1) view.mail().queue(event);
            if (work == 2 || work == 3) PruneWorld::insert(view, other, world.cause());
            if (work == 4) world.add_task(view, id);
        });
        if (lives) busy.push_back(id);
    };
    give_work(ids.back());
    std::jthread pruning([&](std::stop_token stop) {
        while (!stop.stop_requested())
            if (!world.store->prune({.keep_for = window, .limit = 3, .lock = lock})) return;
    });
    // Retention begins with the oldest.
    for (std::size_t i = ids.size() - 1; i-- > 0;) give_work(ids[i]);
    pruning.request_stop();
    pruning.join();
    for (const InstanceId& id : busy) EXPECT_TRUE(world.has(id)) << "it has work";
    EXPECT_FALSE(busy.empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, Retention, all_stores(), store_name);

// The random traits of one instance.
struct Drawn {
    unsigned status;  // 0 running, 1 suspended, else ended
    bool old;
    unsigned parent;  // position of an earlier instance, otherwise none
    unsigned reason;  // 0..5: a reason to keep it, otherwise none
};

class History {
public:
    History(PruneWorld& world, const std::vector<Drawn>& drawn) : world_(world), drawn_(drawn) {
        for (std::size_t i = 0; i < drawn.size(); ++i) put(i);
        for (std::size_t i = 0; i < drawn.size(); ++i) add_reason(i);
    }

    bool is_open(std::size_t i) const { return drawn_[i].status < 2; }
    // The rule again, independent of the stores.
    bool is_kept(std::size_t i) const {
        if (is_open(i) || !drawn_[i].old || drawn_[i].reason < 6) return true;
        if (drawn_[i].parent < i && is_open(drawn_[i].parent)) return true;
        for (std::size_t child = i + 1; child < drawn_.size(); ++child)
            if (drawn_[child].parent == i && is_open(child)) return true;
        return false;
    }
    const InstanceId& id(std::size_t i) const { return ids_[i]; }
    std::size_t size() const { return ids_.size(); }

private:
    void put(std::size_t i) {
        const Drawn& drawn = drawn_[i];
        Instance instance = is_open(i) ? world_.fresh_instance()
                                       : world_.ended_instance(drawn.old ? long_ago : 10min);
        if (drawn.status == 1) {
            instance.status = Status::suspended;
            instance.waits = {world_.waiting({.names = {"go"}})};
        }
        if (drawn.parent < i) instance.parent = ids_[drawn.parent];
        ids_.push_back(world_.put(instance));
    }
    void add_reason(std::size_t i) {
        const InstanceId& id = ids_[i];
        switch (drawn_[i].reason) {
            case 0: world_.enqueued(id); break;
            case 1: world_.bury(world_.enqueued(id)); break;
            case 2: world_.queued("go", id); break;
            case 3: world_.suspended({.workflows = {id}}); break;
            case 4:
                world_.round(ReadSet{}, [&](View& view) {
                    view.signals().schedule({world_.signal(id, view.now()), view.now() + 1h});
                });
                break;
            case 5: world_.open_task(id); break;
            default: break;
        }
    }

    PruneWorld& world_;
    std::vector<Drawn> drawn_;
    std::vector<InstanceId> ids_;
};

std::vector<Drawn> any_history() {
    const auto numbers = *rc::gen::resize(
        12, rc::gen::container<std::vector<unsigned>>(rc::gen::inRange(0u, 1u << 16)));
    std::vector<Drawn> drawn;
    for (const unsigned number : numbers)
        drawn.push_back(
            {number % 5, (number / 5) % 4 != 0, (number / 20) % 16, (number / 320) % 12});
    return drawn;
}

void nothing_active_goes(const char* kind) {
    PruneWorld world(kind);
    const History history(world, any_history());
    std::size_t expected = 0;
    for (std::size_t i = 0; i < history.size(); ++i) expected += history.is_kept(i) ? 0 : 1;
    RC_ASSERT(world.prune().instances == expected);
    for (std::size_t i = 0; i < history.size(); ++i) {
        RC_ASSERT(world.has(history.id(i)) == history.is_kept(i));
        RC_ASSERT(world.history(history.id(i)).empty() != history.is_kept(i));
    }
}

TEST(RetentionProperty, NothingActiveIsEverDeleted) {
    for (const auto& [kind, runs] :
         {std::pair{"memory", 200}, std::pair{"sqlite", 40}, std::pair{"postgres", 12}}) {
        rc::detail::TestParams params = rc::detail::configuration().testParams;
        params.maxSuccess = runs;
        rc::detail::TestMetadata metadata;
        metadata.id = kind;
        const auto result =
            rc::detail::checkTestable([&] { nothing_active_goes(kind); }, metadata, params);
        std::ostringstream message;
        rc::detail::printResultMessage(result, message);
        EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << message.str();
    }
}

}  // namespace
}  // namespace holdfast::testing
