// Retention: what it deletes, what it cancels, and when it refuses (004.9, I28, I44).
#include "pump/retention/retention.h"

#include "store/memory/store.h"
#include "support/manual_clock.h"
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;

class Pruning : public ::testing::Test {
protected:
    Pruning()
        : ids(clock, 1),
          metrics(registry),
          pump_metrics(registry),
          store(*open_store("memory:", {.clock = &clock})),
          coordinator(*Coordinator::open(*store, ids, metrics)) {
        define("orders", {});
    }
    ~Pruning() override { coordinator->shutdown(); }

    template <class Op>
    typename Op::Outcome run(Op op) {
        op.cause.operation = ids.next<OperationId>();
        return *coordinator->submit(std::move(op)).get();
    }
    void define(const std::string& key, Retention retention) {
        run(op::Define{.key = key, .retention = retention});
    }
    InstanceId start(const std::string& key) {
        const auto outcome = run(op::Start{.definition = key,
                                           .state = document("{}"),
                                           .state_metadata = document("{}"),
                                           .arguments = document("{}")});
        return std::get<op::Started>(outcome).instance.id;
    }
    InstanceId ended(const std::string& key) {
        const InstanceId id = start(key);
        run(op::Finish{.instance = id, .run = {1, 0, {}}, .result = document("{}")});
        return id;
    }
    void sleep(const InstanceId& id, Wait wait) {
        run(op::Suspend{.instance = id, .run = {1, 0, {}}, .wait = std::move(wait)});
    }
    std::optional<Status> status(const InstanceId& id) {
        const auto found = *store->ask(FindInstance{id, Depth::row});
        return found ? std::optional(found->instance.status) : std::nullopt;
    }
    // A process that has just started.
    std::unique_ptr<Pruner> pruner(RetentionSettings settings) {
        return std::make_unique<Pruner>(
            Pruner::Parts{.store = *store,
                          .ids = ids,
                          .metrics = pump_metrics,
                          .cancel =
                              [this](std::vector<op::Cancel> operations) {
                                  return coordinator->run_all(std::move(operations));
                              },
                          .node = "one",
                          .steady = [this] { return clock.steady(); }},
            settings);
    }
    RetentionReport prune(Pruner& pruner, RunKind kind = RunKind::real,
                          ClockTrust trust = ClockTrust::check) {
        const auto report = pruner.run(kind, trust);
        EXPECT_TRUE(report) << report.error().message;
        return report.value_or(RetentionReport{});
    }

    ManualClock clock;
    IdSource ids;
    prometheus::Registry registry;
    CoordinatorMetrics metrics;
    PumpMetrics pump_metrics;
    std::unique_ptr<Store> store;
    std::unique_ptr<Coordinator> coordinator;
};

TEST_F(Pruning, DeletesOnlyInstancesThatEndedLongAgo) {
    const auto old = ended("orders");
    const auto open = start("orders");
    const auto all = pruner({.keep_ended = days(30)});
    prune(*all);
    clock.pass(days(31));
    const auto fresh = ended("orders");
    const auto report = prune(*all);
    EXPECT_EQ(report.instances, 1U);
    EXPECT_GT(report.rows, 1U);
    EXPECT_EQ(status(old), std::nullopt);
    EXPECT_EQ(status(open), Status::running);
    EXPECT_EQ(status(fresh), Status::succeeded);
    EXPECT_EQ(pump_metrics.retention_deleted.Value(), 1.0);
}

TEST_F(Pruning, KeepsEverythingByDefault) {
    const auto old = ended("orders");
    const auto all = pruner({});
    EXPECT_EQ(prune(*all).instances, 0U);
    EXPECT_FALSE(all->shortest_window());
    clock.pass(days(10'000));
    EXPECT_EQ(prune(*all).instances, 0U);
    EXPECT_EQ(status(old), Status::succeeded);
}

TEST_F(Pruning, BoundsKeysAndFatesByDefault) {
    const auto keyed = [this] {
        const auto outcome = run(op::Start{.client_key = op::ClientKey{"k", sha256("same")},
                                           .definition = "orders",
                                           .state = document("{}"),
                                           .state_metadata = document("{}"),
                                           .arguments = document("{}")});
        return std::get<op::Started>(outcome).instance.id;
    };
    const auto first = keyed();
    run(op::Clear{.instance = first});
    const auto event = ids.next<EventId>();
    run(op::SendEvent{
        .event = event, .event_name = "go", .value = document("1"), .expire_after = minutes(1)});
    const auto all = pruner({});
    prune(*all);
    EXPECT_EQ(keyed(), first) << "kept for a day";
    clock.pass(hours(25));
    EXPECT_GT(prune(*all).rows, 0U);
    EXPECT_NE(keyed(), first);
    EXPECT_TRUE(store->ask(PendingEventQuery{})->items.empty()) << "expired ones are deleted";
    EXPECT_FALSE(store->ask(FindEvent{event})->empty()) << "their fate stays for a day";
    clock.pass(hours(25));
    prune(*all);
    EXPECT_TRUE(store->ask(FindEvent{event})->empty());
    EXPECT_FALSE(store->ask(HistoryQuery{first, 1, 10})->items.empty()) << "for ever by default";
}

TEST_F(Pruning, KeepsTheKeyOfAReplayAsLongAsItsTarget) {
    const auto first = start("orders");
    const auto event = ids.next<EventId>();
    run(op::SendEvent{.event = event,
                      .event_name = "go",
                      .target = first,
                      .value = document("1"),
                      .on_target_ended = OnTargetEnded::dead_letter});
    run(op::Cancel{.instance = first});
    const auto target = start("orders");
    const auto replay = [&] {
        return run(op::ReplayDeadEvent{
            .client_key = op::ClientKey{"r", sha256("same")}, .event = event, .target = target});
    };
    EXPECT_TRUE(std::holds_alternative<op::Queued>(replay()));
    const auto all = pruner({});
    prune(*all);
    clock.pass(hours(25));
    prune(*all);
    EXPECT_TRUE(std::holds_alternative<op::Queued>(replay())) << "its target is open";
    run(op::Clear{.instance = target});
    clock.pass(hours(25));
    prune(*all);
    clock.pass(hours(25));
    prune(*all);
    EXPECT_FALSE(std::holds_alternative<op::Queued>(replay()));
}

TEST_F(Pruning, TrimsTheHistoriesOfOpenInstancesToTheirWindow) {
    const auto id = start("orders");
    for (int i = 0; i < 150; ++i) {
        run(op::Pause{.instance = id});
        run(op::Resume{.instance = id});
    }
    const auto all = pruner({.keep_history = days(7)});
    prune(*all);
    EXPECT_EQ(store->ask(HistoryQuery{id, 1, 1'000})->items.size(), 301U);
    clock.pass(days(8));
    const RetentionReport dry = prune(*all, RunKind::dry);
    EXPECT_EQ(store->ask(HistoryQuery{id, 1, 1'000})->items.size(), 301U)
        << "a dry run trims nothing";
    const RetentionReport first = prune(*all);
    EXPECT_EQ(dry.rows, first.rows);
    EXPECT_TRUE(first.more) << "a page trims a bounded part";
    while (prune(*all).more) continue;
    EXPECT_EQ(store->ask(HistoryQuery{id, 1, 1'000})->items.size(), 100U);
}

TEST_F(Pruning, ForgetsClearedInstancesWithTheWindowOfEndedOnes) {
    const auto id = start("orders");
    run(op::Clear{.instance = id});
    const auto all = pruner({.keep_ended = days(30)});
    prune(*all);
    clock.pass(days(29));
    prune(*all);
    EXPECT_EQ(store->ask(HistoryQuery{id, 1, 10})->items.size(), 2U);
    clock.pass(days(2));
    prune(*all);
    EXPECT_TRUE(store->ask(HistoryQuery{id, 1, 10})->items.empty());
}

TEST_F(Pruning, CancelsTheOldestStaleOnesAmongManySleepers) {
    const auto oldest = start("orders");
    const auto all = pruner({.stale_after = days(30)});
    prune(*all);
    clock.pass(days(31));
    // More than fit into the pages of a single run once.
    for (int i = 0; i < 16'500; ++i) {
        const auto id = ids.next<InstanceId>();
        Loaded::Row& row = dynamic_cast<memory::MemoryStore&>(*store).tables().instances[id];
        row.instance.id = id;
        row.instance.definition = {"orders", 1};
        row.instance.status = Status::suspended;
        row.instance.version = 1;
        row.instance.updated_at = clock.now();
    }
    EXPECT_EQ(prune(*all).cancelled, 1U);
    EXPECT_EQ(status(oldest), Status::cancelled);
}

TEST_F(Pruning, FollowsTheWindowOfEachDefinition) {
    define("logs", {.keep_for = days(1)});
    define("ledgers", {.keep_for = days(3'650)});
    const auto log = ended("logs");
    const auto ledger = ended("ledgers");
    const auto order = ended("orders");
    const auto all = pruner({.keep_ended = days(30)});
    prune(*all);
    EXPECT_EQ(all->shortest_window(), days(1));
    clock.pass(days(2));
    EXPECT_EQ(prune(*all).instances, 1U);
    EXPECT_EQ(status(log), std::nullopt);
    clock.pass(days(100));
    EXPECT_EQ(prune(*all).instances, 1U);
    EXPECT_EQ(status(order), std::nullopt);
    EXPECT_EQ(status(ledger), Status::succeeded);
}

TEST_F(Pruning, OnlyCountsInADryRun) {
    const auto all = pruner({.keep_ended = days(1)});
    prune(*all);
    for (int i = 0; i < 3; ++i) ended("orders");
    clock.pass(days(2));
    EXPECT_EQ(prune(*all, RunKind::dry).instances, 3U);
    const RetentionReport dry = prune(*all, RunKind::dry);
    const RetentionReport real = prune(*all);
    EXPECT_EQ(dry.instances, 3U);
    EXPECT_EQ(dry.rows, real.rows);
    EXPECT_EQ(dry.eligible, 0U);
    EXPECT_EQ(real.instances, 3U);
    EXPECT_EQ(prune(*all).instances, 0U);
}

TEST_F(Pruning, RefusesWhileAnotherNodeHoldsTheLock) {
    ended("orders");
    const auto all = pruner({.keep_ended = days(1)});
    prune(*all);
    clock.pass(days(2));
    ASSERT_TRUE(*store->lock_host("retention", "two", hours(1)));
    const auto report = prune(*all);
    EXPECT_TRUE(report.refused);
    ASSERT_TRUE(report.running);
    EXPECT_EQ(report.running->node, "two");
    EXPECT_EQ(report.instances, 0U);
    clock.pass(hours(2));
    EXPECT_EQ(prune(*all).instances, 1U);
}

TEST_F(Pruning, RefusesWhileItIsRunning) {
    start("orders");
    std::vector<RetentionReport> meanwhile;
    Pruner all({.store = *store,
                .ids = ids,
                .metrics = pump_metrics,
                .cancel =
                    [&](std::vector<op::Cancel> operations) {
                        for (const RunKind kind : {RunKind::real, RunKind::dry})
                            meanwhile.push_back(prune(all, kind));
                        return coordinator->run_all(std::move(operations));
                    },
                .node = "one",
                .steady = [this] { return clock.steady(); }},
               {.stale_after = days(1)});
    clock.pass(days(2));
    const Moment began = clock.now();
    EXPECT_EQ(prune(all).cancelled, 1U);
    ASSERT_EQ(meanwhile.size(), 2U);
    for (const RetentionReport& report : meanwhile) {
        ASSERT_TRUE(report.running);
        EXPECT_TRUE(report.refused);
        EXPECT_EQ(report.running->node, "one");
        EXPECT_EQ(report.running->since, began);
        EXPECT_EQ(report.cancelled, 0U);
    }
    EXPECT_FALSE(prune(all).running) << "the next one may run";
}

TEST_F(Pruning, RefusesAfterTheClockWasSetAhead) {
    const auto old = ended("orders");
    const auto all = pruner({.keep_ended = days(30)});
    prune(*all);
    clock.jump(days(3'650));
    EXPECT_TRUE(prune(*all).refused);
    EXPECT_EQ(pump_metrics.retention_refused.Value(), 1.0);
    EXPECT_TRUE(prune(*pruner({.keep_ended = days(30)})).refused) << "also after a restart";
    clock.pass(minutes(59));
    EXPECT_TRUE(prune(*all).refused);
    EXPECT_EQ(status(old), Status::succeeded);
    clock.pass(minutes(2));
    EXPECT_EQ(prune(*all).instances, 1U) << "trusted after a steady hour";
}

TEST_F(Pruning, AcceptsANewTimeOnRequest) {
    ended("orders");
    const auto all = pruner({.keep_ended = days(30)});
    prune(*all);
    clock.jump(days(3'650));
    EXPECT_TRUE(prune(*all, RunKind::dry).refused);
    EXPECT_EQ(prune(*all, RunKind::real, ClockTrust::accept).instances, 1U);
    EXPECT_FALSE(prune(*all).refused);
}

TEST_F(Pruning, CancelsStaleInstances) {
    const auto forgotten = start("orders");
    const auto asleep = start("orders");
    sleep(asleep, {.names = {"never"}});
    const auto timed = start("orders");
    sleep(timed, {.until = clock.now() + days(1'000)});
    const auto awaited = start("orders");
    const auto waiter = start("orders");
    sleep(waiter, {.workflows = {awaited}});
    const auto with_event = start("orders");
    run(op::SendEvent{.event = ids.next<EventId>(),
                      .event_name = "news",
                      .target = with_event,
                      .value = document("1")});
    const auto all = pruner({.stale_after = days(30)});
    prune(*all);
    clock.pass(days(20));
    const auto young = start("orders");
    clock.pass(days(11));
    EXPECT_EQ(prune(*all, RunKind::dry).cancelled, 2U);
    EXPECT_EQ(prune(*all).cancelled, 2U);
    EXPECT_EQ(status(forgotten), Status::cancelled);
    EXPECT_EQ(status(asleep), Status::cancelled);
    for (const auto& id : {timed, waiter}) EXPECT_EQ(status(id), Status::suspended);
    for (const auto& id : {awaited, with_event, young}) EXPECT_EQ(status(id), Status::running);
    EXPECT_EQ(prune(*all).cancelled, 0U);
}

TEST_F(Pruning, KeepsWhatBelongsToTheEngine) {
    define("holdfast.webhook", {});
    const auto webhook = start("holdfast.webhook");
    const auto forgotten = start("orders");
    const auto all = pruner({.stale_after = days(30)});
    prune(*all);
    clock.pass(days(31));
    EXPECT_EQ(prune(*all).cancelled, 1U);
    EXPECT_EQ(status(forgotten), Status::cancelled);
    EXPECT_EQ(status(webhook), Status::running);
}

TEST_F(Pruning, KeepsInstancesWithOpenTasks) {
    const auto asking = start("orders");
    const auto asleep = start("orders");
    std::vector<HumanTask> tasks;
    for (const auto& id : {asking, asleep}) {
        const auto created =
            run(op::CreateTask{.instance = id, .run = {1, 0, {}}, .spec = {.name = "approve"}});
        tasks.push_back(std::get<op::TaskCreated>(created).task);
    }
    run(op::Suspend{
        .instance = asleep, .run = {1, 1, {}}, .wait = {.names = {event_name_of(tasks[1].id)}}});
    run(op::ClaimTask{
        .cause = {.caller = {.user = "ann"}}, .instance = asleep, .task = tasks[1].id});
    const auto all = pruner({.stale_after = days(30)});
    prune(*all);
    clock.pass(days(100));
    EXPECT_EQ(prune(*all, RunKind::dry).cancelled, 0U);
    EXPECT_EQ(prune(*all).cancelled, 0U);
    EXPECT_EQ(status(asking), Status::running);
    EXPECT_EQ(status(asleep), Status::suspended);
    run(op::CompleteTask{
        .cause = {.caller = {.user = "ann"}}, .instance = asleep, .task = tasks[1].id});
    run(op::CancelTask{
        .cause = {.caller = {.user = "ann"}}, .instance = asking, .task = tasks[0].id});
    clock.pass(days(31));
    EXPECT_EQ(prune(*all).cancelled, 1U);
    EXPECT_EQ(status(asleep), Status::cancelled);
    EXPECT_EQ(status(asking), Status::running) << "the event of its task is still queued";
}

TEST_F(Pruning, FollowsTheStaleTimeOfEachDefinition) {
    define("drafts", {.stale_after = days(1)});
    define("contracts", {.stale_after = std::chrono::microseconds(0)});
    const auto draft = start("drafts");
    const auto contract = start("contracts");
    const auto all = pruner({.stale_after = days(30)});
    prune(*all);
    clock.pass(days(2));
    EXPECT_EQ(prune(*all).cancelled, 1U);
    EXPECT_EQ(status(draft), Status::cancelled);
    clock.pass(days(100));
    EXPECT_EQ(prune(*all).cancelled, 0U);
    EXPECT_EQ(status(contract), Status::running);
}

class ClockChecks : public ::testing::Test {
protected:
    bool refuses() { return check.refusal_reason(clock.now(), mark).has_value(); }
    void run() {
        ASSERT_FALSE(refuses());
        check.accept(clock.now());
        mark = clock.now();
    }

    ManualClock clock;
    std::optional<Moment> mark;
    RetentionClock check{[this] { return clock.steady(); }};
};

TEST_F(ClockChecks, TrustTimeThatPassed) {
    run();
    clock.pass(days(400));
    run();
}

TEST_F(ClockChecks, TolerateASmallStep) {
    run();
    clock.jump(minutes(50));
    run();
    clock.jump(-minutes(50));
    run();
}

TEST_F(ClockChecks, RefuseAStepBack) {
    run();
    clock.jump(-hours(2));
    EXPECT_TRUE(refuses());
    clock.pass(minutes(61));
    EXPECT_FALSE(refuses());
}

TEST_F(ClockChecks, CountTheHourAnewWhenTheClockStepsAgain) {
    run();
    clock.jump(days(10));
    EXPECT_TRUE(refuses());
    clock.pass(minutes(50));
    clock.jump(days(10));
    EXPECT_TRUE(refuses());
    clock.pass(minutes(20));
    EXPECT_TRUE(refuses());
    clock.pass(minutes(50));
    EXPECT_FALSE(refuses());
}

TEST_F(ClockChecks, TrustATimeThatAnotherNodeHasAccepted) {
    run();
    clock.jump(days(10));
    EXPECT_TRUE(refuses());
    mark = clock.now();
    EXPECT_FALSE(refuses());
}

}  // namespace
}  // namespace holdfast::testing
