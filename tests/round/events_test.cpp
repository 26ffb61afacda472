// Waits, events and timers through the coordinator (001.3 to 001.14), on the stores that keep them.
#include "support/batch.h"
#include "support/eventually.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Events : public ::testing::TestWithParam<const char*> {
protected:
    Events() : world(GetParam()) {
        world.define("orders");
        order = world.start("orders", "{}").id;
    }

    op::Suspend::Outcome suspend(const InstanceId& id, Wait wait, std::optional<op::Run> run = {}) {
        const Instance instance = world.read(id);
        return world.run(op::Suspend{.cause = world.cause(),
                                     .instance = id,
                                     .run = run.value_or(op::Run{instance.run, instance.index}),
                                     .wait = std::move(wait)});
    }
    op::SendEvent event(const std::string& name, std::optional<InstanceId> target = {},
                        const std::string& value = "{}") {
        return {.cause = world.cause(),
                .event = world.ids.next<EventId>(),
                .event_name = name,
                .target = target,
                .value = document(value)};
    }
    op::SendEvent::Outcome send(const std::string& name, std::optional<InstanceId> target = {},
                                const std::string& value = "{}") {
        return world.run(event(name, target, value));
    }
    op::Finish::Outcome finish(const InstanceId& id) {
        const Instance instance = world.read(id);
        return world.run(op::Finish{.cause = world.cause(),
                                    .instance = id,
                                    .run = {instance.run, instance.index},
                                    .result = document(R"({"done":true})")});
    }

    World world;
    InstanceId order;
};

TEST_P(Events, ASentEventWakesTheInstanceThatWaitsForIt) {
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(order, {.names = {"paid"}})));
    EXPECT_EQ(world.read(order).status, Status::suspended);
    const auto sent = send("paid", order, R"({"amount":5})");
    EXPECT_EQ(std::get<op::Delivered>(sent).to, order);
    const Instance woken = world.read(order);
    EXPECT_EQ(woken.status, Status::running);
    EXPECT_EQ(woken.index, 1u);
    EXPECT_EQ(woken.version, 3u);
}

TEST_P(Events, AnEventThatCameFirstIsTakenBySuspend) {
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send("paid", order, R"({"n":1})")));
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send("paid", order, R"({"n":2})")));
    EXPECT_EQ(world.read(order).version, 1u);
    const auto first = std::get<op::Woken>(suspend(order, {.names = {"paid"}}));
    EXPECT_EQ(first.value, document(R"({"n":1})"));
    const auto second = std::get<op::Woken>(suspend(order, {.names = {"other", "paid"}}));
    EXPECT_EQ(second.value, document(R"({"n":2})"));
    EXPECT_EQ(second.winner.index, 1u);
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(order, {.names = {"paid"}})));
}

TEST_P(Events, TargetedEventsComeBeforeBroadcasts) {
    send("paid", {}, R"({"from":"broadcast"})");
    send("paid", order, R"({"from":"target"})");
    const auto woken = std::get<op::Woken>(suspend(order, {.names = {"paid"}}));
    EXPECT_EQ(woken.value, document(R"({"from":"target"})"));
}

TEST_P(Events, ABroadcastGoesToTheOldestWaitAndOnlyToIt) {
    const InstanceId younger = world.start("orders", "{}").id;
    suspend(order, {.names = {"go"}});
    suspend(younger, {.names = {"go"}});
    EXPECT_EQ(std::get<op::Delivered>(send("go")).to, order);
    EXPECT_EQ(std::get<op::Delivered>(send("go")).to, younger);
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send("go")));
}

TEST_P(Events, ABroadcastLooksFurtherWhenTheFirstWaitsAreGone) {
    std::vector<InstanceId> waiters;
    for (int i = 0; i < 20; ++i) {
        waiters.push_back(world.start("orders", "{}").id);
        suspend(waiters.back(), {.names = {"go", "stop"}});
    }
    // In one round: the events "stop" end the oldest waits for "go".
    std::vector<Operation> batch;
    for (int i = 0; i < 10; ++i) batch.push_back(event("stop"));
    for (int i = 0; i < 10; ++i) batch.push_back(event("go"));
    std::set<InstanceId> got;
    for (const auto& outcome : testing::submit_batch(*world.coordinator, batch).get()) {
        const auto& sent = std::get<op::SendEvent::Outcome>(*outcome);
        ASSERT_TRUE(std::holds_alternative<op::Delivered>(sent)) << sent.index();
        EXPECT_TRUE(got.insert(std::get<op::Delivered>(sent).to).second);
    }
    EXPECT_EQ(got.size(), 20u);
}

// 001.21: they meet only if name and correlation key are equal, whichever was first.
TEST_P(Events, AnEventMeetsOnlyAWaitWithItsCorrelationKey) {
    const InstanceId other = world.start("orders", "{}").id;
    const InstanceId plain = world.start("orders", "{}").id;
    suspend(order, {.names = {{"paid", "A-1"}}});
    suspend(other, {.names = {{"paid", "A-2"}}});
    suspend(plain, {.names = {"paid"}});
    const auto with_key = [&](const std::string& key, std::optional<InstanceId> target = {}) {
        op::SendEvent paid = event("paid", target);
        paid.correlation = key;
        return world.run(paid);
    };
    EXPECT_EQ(std::get<op::Delivered>(with_key("A-2")).to, other);
    EXPECT_EQ(std::get<op::Delivered>(with_key("")).to, plain);
    EXPECT_TRUE(std::holds_alternative<op::Queued>(with_key("A-3")));
    EXPECT_TRUE(std::holds_alternative<op::Queued>(with_key("A-2", order))) << "also with a target";
    EXPECT_EQ(world.read(order).status, Status::suspended);

    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(plain, {.names = {{"paid", "A-9"}}})));
    EXPECT_EQ(std::get<op::Woken>(suspend(other, {.names = {{"paid", "A-3"}}})).winner.name,
              "paid");
    if (std::string(GetParam()) != "memory") world.restart();  // it has nothing to start from
    EXPECT_EQ(std::get<op::Delivered>(with_key("A-1")).to, order);
    EXPECT_EQ(std::get<op::Woken>(suspend(order, {.names = {{"paid", "A-2"}}})).winner.name,
              "paid");
}

TEST_P(Events, AnEventMeetsOnlyWaitsOfItsTenant) {
    suspend(order, {.names = {"paid"}});
    op::SendEvent foreign = event("paid");
    foreign.cause.caller.tenant = "elsewhere";
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(foreign)));
    EXPECT_EQ(world.read(order).status, Status::suspended);
    EXPECT_EQ(std::get<op::Delivered>(world.run(event("paid"))).to, order);
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(order, {.names = {"paid"}})));
}

TEST_P(Events, ARepeatedEventIdChangesNothing) {
    const op::SendEvent paid = event("paid", order);
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(paid)));
    op::SendEvent again = paid;
    again.cause = world.cause();
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(again)));
    suspend(order, {.names = {"paid"}});
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(order, {.names = {"paid"}})));
    again.cause = world.cause();
    EXPECT_EQ(std::get<op::Delivered>(world.run(again)).to, order);
    EXPECT_EQ(world.read(order).status, Status::suspended);
}

TEST_P(Events, ATimerWakesOnlyTheWaitThatArmedIt) {
    const Moment soon = world.clock.now() - std::chrono::seconds{1};
    const Moment later = world.clock.now() + std::chrono::hours{1};
    const auto armed = std::get<op::Asleep>(suspend(order, {.names = {"a"}, .until = later}));
    const auto fire = [&](const TokenId& token) {
        return world.run(op::FireTimer{.cause = world.cause(), .instance = order, .token = token});
    };
    EXPECT_TRUE(std::holds_alternative<op::StaleTimer>(fire(armed.token))) << "not due yet";
    send("a", order);
    EXPECT_TRUE(std::holds_alternative<op::StaleTimer>(fire(armed.token))) << "that wait is over";
    const auto due = suspend(order, {.names = {"b"}, .until = soon});
    EXPECT_EQ(std::get<op::Woken>(due).winner.type, WinnerType::timer);
}

TEST_P(Events, AnEditWhileATimerIsArmedDoesNotKillTheTimer) {
    const Moment later = world.clock.now() + std::chrono::milliseconds{1'500};
    const auto armed = std::get<op::Asleep>(suspend(order, {.until = later}));
    world.run(op::EditState{.cause = world.cause(),
                            .instance = order,
                            .edit = op::MergePatch{document(R"({"note":1})")}});
    ASSERT_TRUE(eventually([&] { return world.clock.now() > later; }));
    EXPECT_TRUE(std::holds_alternative<op::Fired>(
        world.run(op::FireTimer{.cause = world.cause(), .instance = order, .token = armed.token})));
    EXPECT_EQ(world.read(order).version, 4u);
}

TEST_P(Events, ACompletionEndsAWaitAlsoWhenItCameFirst) {
    const InstanceId child = world.start("orders", "{}").id;
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(order, {.workflows = {child}})));
    finish(child);
    EXPECT_EQ(world.read(order).status, Status::running);
    const auto again = std::get<op::Woken>(suspend(order, {.workflows = {child}}));
    EXPECT_EQ(again.winner.type, WinnerType::workflow);
    EXPECT_EQ(again.value.value().at("status"), "succeeded");
}

TEST_P(Events, EventsQueuedForAnEndedInstanceFollowTheirPolicy) {
    const InstanceId other = world.start("orders", "{}").id;
    suspend(other, {.names = {"moved"}});
    op::SendEvent discarded = event("x", order);
    op::SendEvent dead = event("x", order);
    dead.on_target_ended = OnTargetEnded::dead_letter;
    op::SendEvent moved = event("moved", order, R"({"m":1})");
    moved.on_target_ended = OnTargetEnded::broadcast;
    op::SendEvent queued = event("unawaited", order);
    queued.on_target_ended = OnTargetEnded::broadcast;
    for (const auto& one : {discarded, dead, moved, queued}) world.run(one);
    EXPECT_TRUE(std::holds_alternative<op::Finished>(finish(order)));
    EXPECT_EQ(world.read(other).status, Status::running) << "the broadcast reached the wait";
    EXPECT_TRUE(std::holds_alternative<op::Woken>(suspend(other, {.names = {"unawaited"}})));
    EXPECT_EQ(std::get<op::Terminated>(send("x", order)).status, Status::succeeded);
}

// Its rows are in another order on each store.
TEST_P(Events, ARepeatOfAnEventThatReachedSeveralNamesItsTarget) {
    const InstanceId target = world.start("orders", "{}").id;
    for (const InstanceId& id : {order, target}) suspend(id, {.names = {"a"}});
    op::SendEvent kept = event("a", target);
    kept.keep = Keep::yes;
    kept.on_target_ended = OnTargetEnded::broadcast;
    EXPECT_EQ(std::get<op::Delivered>(world.run(kept)).to, target);
    finish(target);
    EXPECT_EQ(world.read(order).status, Status::running) << "it reached the other one too";
    EXPECT_EQ(std::get<op::Delivered>(world.run(kept)).to, target);
}

TEST_P(Events, AClearedInstanceWakesThoseThatWaitForItsEnd) {
    const InstanceId waiter = world.start("orders", "{}").id;
    const InstanceId paused = world.start("orders", "{}").id;
    for (const InstanceId& id : {waiter, paused}) suspend(id, {.workflows = {order}});
    world.run(op::Pause{.cause = world.cause(), .instance = paused});
    EXPECT_TRUE(std::holds_alternative<op::Cleared>(
        world.run(op::Clear{.cause = world.cause(), .instance = order})));
    world.run(op::Resume{.cause = world.cause(), .instance = paused});
    for (const InstanceId& id : {waiter, paused}) {
        EXPECT_EQ(world.read(id).status, Status::running);
        const auto woken = std::get<op::Woken>(suspend(id, {.workflows = {order}}, op::Run{1, 0}));
        EXPECT_EQ(woken.winner.type, WinnerType::workflow);
        EXPECT_EQ(woken.value.value().at("status"), "cleared");
        EXPECT_EQ(woken.value.value().at("workflow").as_string(), to_string(order));
    }
}

// A sleeper that nobody told, from before waiters were told: a recovery finds it.
TEST_P(Events, ARecoveryWakesThoseThatWaitForAClearedInstance) {
    suspend(order, {.workflows = {world.start("orders", "{}").id}});
    Instance left = world.read(order);
    left.waits.front().wait.workflows = {world.ids.next<InstanceId>()};
    world.run(op::Write{.cause = world.cause(), .instance = left, .expected = left.version});
    EXPECT_TRUE(std::holds_alternative<op::CaughtUp>(
        world.run(op::Recover{.cause = world.cause(), .instance = order})));
    EXPECT_EQ(world.read(order).status, Status::running);
}

TEST_P(Events, APausedInstanceTakesNothingUntilItIsResumed) {
    suspend(order, {.names = {"a"}});
    world.run(op::Pause{.cause = world.cause(), .instance = order});
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send("a", order)));
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send("a")));
    EXPECT_EQ(world.read(order).status, Status::suspended);
    world.run(op::Resume{.cause = world.cause(), .instance = order});
    EXPECT_EQ(world.read(order).status, Status::running);
    EXPECT_EQ(world.read(order).index, 1u);
}

TEST_P(Events, StepsAreRecordedOnceAndFenced) {
    const auto record = [&](op::Run run, const std::string& name) {
        return world.run(op::RecordStep{.cause = world.cause(),
                                        .instance = order,
                                        .run = run,
                                        .step_name = name,
                                        .input_hash = sha256(name),
                                        .value = document(R"({"ok":true})")});
    };
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record({1, 0}, "charge")));
    EXPECT_TRUE(std::holds_alternative<op::AlreadyRecorded>(record({1, 0}, "charge")));
    EXPECT_TRUE(std::holds_alternative<op::Diverged>(record({1, 0}, "refund")));
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record({2, 1}, "ship")));
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record({1, 5}, "ship")));
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record({1, 1}, "ship")));
}

TEST_P(Events, ContinueAsClearsTheJournalAndKeepsTheInbox) {
    send("later", order);
    const auto continued = world.run(op::ContinueAs{.cause = world.cause(),
                                                    .instance = order,
                                                    .run = {1, 0},
                                                    .arguments = document(R"({"page":2})")});
    EXPECT_EQ(std::get<op::Continued>(continued).run, (op::Run{2, 1}));
    EXPECT_TRUE(
        std::holds_alternative<op::Overtaken>(suspend(order, {.names = {"x"}}, op::Run{1, 1})));
    EXPECT_TRUE(std::holds_alternative<op::Woken>(suspend(order, {.names = {"later"}})));
}

TEST_P(Events, AKeptBroadcastReachesEveryCurrentWait) {
    const InstanceId younger = world.start("orders", "{}").id;
    suspend(order, {.names = {"news"}});
    suspend(younger, {.names = {"news"}});
    op::SendEvent kept = event("news");
    kept.keep = Keep::yes;
    EXPECT_EQ(std::get<op::Delivered>(world.run(kept)).to, order);
    EXPECT_EQ(world.read(younger).status, Status::running);
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(order, {.names = {"news"}})));
    const InstanceId late = world.start("orders", "{}").id;
    EXPECT_TRUE(std::holds_alternative<op::Woken>(suspend(late, {.names = {"news"}})));
}

TEST_P(Events, AKeptEventForATargetIsTakenOnceAndHoldsNothingUp) {
    op::SendEvent kept = event("note", order);
    kept.keep = Keep::yes;
    world.run(kept);
    EXPECT_TRUE(std::holds_alternative<op::Woken>(suspend(order, {.names = {"note"}})));
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(order, {.names = {"note"}})));
    EXPECT_EQ(std::get<op::Delivered>(send("note", order)).to, order);
}

TEST_P(Events, AResumeReadsPastEventsThatItsWaitDoesNotAccept) {
    for (int i = 0; i < 20; ++i) send("old", order);
    suspend(order, {.names = {"old"}, .since = Since::wait});
    world.run(op::Pause{.cause = world.cause(), .instance = order});
    EXPECT_TRUE(std::holds_alternative<op::Resumed>(
        world.run(op::Resume{.cause = world.cause(), .instance = order})));
    EXPECT_EQ(world.read(order).status, Status::suspended);
    EXPECT_EQ(std::get<op::Delivered>(send("old", order)).to, order);
}

TEST_P(Events, AnOperationThatNeedsMoreReadsNamesThemItself) {
    for (int i = 0; i < 20; ++i) send("old", order);
    const Wait wait{.names = {"old"}, .since = Since::wait};
    suspend(order, wait);
    world.run(op::Pause{.cause = world.cause(), .instance = order});
    // The suspend after it reads the same inbox, but only a part of it.
    std::vector<Operation> batch;
    batch.emplace_back(op::Resume{.cause = world.cause(), .instance = order});
    batch.emplace_back(
        op::Suspend{.cause = world.cause(), .instance = order, .run = {1, 0}, .wait = wait});
    for (const auto& result : testing::submit_batch(*world.coordinator, std::move(batch)).get())
        EXPECT_TRUE(result.has_value());
    EXPECT_EQ(world.read(order).status, Status::suspended);
}

INSTANTIATE_TEST_SUITE_P(Stores, Events, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
