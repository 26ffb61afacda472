// Dead events: replayed or removed once, whatever the target (001.9).
#include "support/batch.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class DeadEvents : public ::testing::TestWithParam<const char*> {
protected:
    DeadEvents() : world(GetParam()) { world.define("orders"); }

    InstanceId start() { return world.start("orders", "{}").id; }
    void suspend(const InstanceId& id, const std::string& name) {
        const Instance instance = world.read(id);
        const auto outcome = world.run(op::Suspend{.cause = world.cause(),
                                                   .instance = id,
                                                   .run = {instance.run, instance.index},
                                                   .wait = {.names = {name}}});
        EXPECT_TRUE(std::holds_alternative<op::Asleep>(outcome));
    }
    op::Finish finishing(const InstanceId& id) {
        const Instance instance = world.read(id);
        return {.cause = world.cause(), .instance = id, .run = {instance.run, instance.index}};
    }
    // An event "paid" with the value 5 whose target has ended.
    op::SendEvent sent_to(const InstanceId& target) {
        return {.cause = world.cause(),
                .event = world.ids.next<EventId>(),
                .event_name = "paid",
                .target = target,
                .value = document("5"),
                .on_target_ended = OnTargetEnded::dead_letter};
    }
    EventId bury(std::optional<std::chrono::microseconds> expire_after = {}) {
        const InstanceId target = start();
        op::SendEvent sent = sent_to(target);
        sent.expire_after = expire_after;
        EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(sent)));
        world.run(finishing(target));
        EXPECT_TRUE(known(sent.event).dead.has_value());
        return sent.event;
    }
    op::ReplayDeadEvent replaying(const EventId& event, std::optional<InstanceId> target = {}) {
        return {.cause = world.cause(), .event = event, .target = target};
    }
    op::RemoveDeadEvent removing(const EventId& event) {
        return {.cause = world.cause(), .event = event};
    }
    KnownEvent known(const EventId& event) {
        auto found = world.store->ask(FindEvent{event});
        EXPECT_TRUE(found.has_value());
        return found.value_or(KnownEvent{});
    }
    // In one commit, if they are on one shard.
    std::vector<AnyOutcome> run_together(std::vector<Operation> operations) {
        std::vector<AnyOutcome> outcomes;
        for (auto& outcome :
             testing::submit_batch(*world.coordinator, std::move(operations)).get()) {
            EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : outcome.error().message);
            if (outcome) outcomes.push_back(*std::move(outcome));
        }
        return outcomes;
    }

    World world;
};

TEST_P(DeadEvents, AReplayedBroadcastEndsTheOldestWait) {
    const EventId event = bury();
    const InstanceId older = start();
    const InstanceId younger = start();
    suspend(older, "paid");
    suspend(younger, "paid");
    const auto replayed = std::get<op::Delivered>(world.run(replaying(event)));
    EXPECT_EQ(replayed.event, event);
    EXPECT_EQ(replayed.to, older);
    EXPECT_EQ(world.read(older).status, Status::running);
    EXPECT_EQ(world.store->ask(FindJournalEntry{older, 0})->value().step.value, document("5"));
    const KnownEvent after = known(event);
    EXPECT_FALSE(after.dead || after.queued);
    ASSERT_EQ(after.fates.size(), 1u);
    EXPECT_EQ(after.fates[0].instance, older);
}

TEST_P(DeadEvents, AReplayedBroadcastThatNobodyAwaitsIsQueued) {
    const EventId event = bury();
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(replaying(event))));
    const KnownEvent queued = known(event);
    ASSERT_TRUE(queued.queued);
    EXPECT_FALSE(queued.dead);
    EXPECT_FALSE(queued.queued->target);
    const InstanceId late = start();
    const auto woken = world.run(op::Suspend{
        .cause = world.cause(), .instance = late, .run = {1, 0}, .wait = {.names = {"paid"}}});
    EXPECT_EQ(std::get<op::Woken>(woken).value, document("5"));
    EXPECT_FALSE(known(event).queued);
}

TEST_P(DeadEvents, AReplayToAnInstanceGoesToItAlone) {
    const EventId event = bury();
    const InstanceId other = start();
    const InstanceId chosen = start();
    suspend(other, "paid");
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(replaying(event, chosen))));
    EXPECT_EQ(known(event).queued->target, chosen);
    EXPECT_EQ(world.read(other).status, Status::suspended);

    const EventId second = bury();
    suspend(start(), "paid");
    EXPECT_EQ(std::get<op::Delivered>(world.run(replaying(second, other))).to, other);
}

TEST_P(DeadEvents, AnEventThatFindsNoTargetStaysDead) {
    const EventId event = bury();
    const InstanceId ended = start();
    world.run(finishing(ended));
    EXPECT_EQ(std::get<op::Terminated>(world.run(replaying(event, ended))).status,
              Status::succeeded);
    const auto missing = world.ids.next<InstanceId>();
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(world.run(replaying(event, missing))));
    op::ReplayDeadEvent full = replaying(event);
    full.queue_limit = 0;
    EXPECT_EQ(std::get<op::TooManyQueued>(world.run(full)).limit, 0u);
    EXPECT_TRUE(known(event).dead.has_value());
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(replaying(event))));
}

TEST_P(DeadEvents, OnlyADeadEventIsReplayed) {
    const InstanceId target = start();
    const op::SendEvent alive = sent_to(target);
    world.run(alive);
    const auto unknown = world.ids.next<EventId>();
    for (const EventId& event : {alive.event, unknown}) {
        EXPECT_TRUE(std::holds_alternative<op::NoDeadEvent>(world.run(replaying(event))));
        EXPECT_TRUE(std::holds_alternative<op::NoDeadEvent>(world.run(replaying(event, target))));
        EXPECT_TRUE(std::holds_alternative<op::NoDeadEvent>(world.run(removing(event))));
    }
    EXPECT_TRUE(known(alive.event).queued.has_value());
}

TEST_P(DeadEvents, ARemovedEventIsDiscardedForGood) {
    const EventId event = bury();
    EXPECT_TRUE(std::holds_alternative<op::Removed>(world.run(removing(event))));
    const KnownEvent after = known(event);
    EXPECT_FALSE(after.dead || after.queued);
    ASSERT_EQ(after.fates.size(), 1u);
    EXPECT_EQ(after.fates[0].fate, EventFate::discarded);
    EXPECT_TRUE(std::holds_alternative<op::NoDeadEvent>(world.run(removing(event))));
    EXPECT_TRUE(std::holds_alternative<op::NoDeadEvent>(world.run(replaying(event))));
}

TEST_P(DeadEvents, AReplayGetsItsOriginalTimeToLiveAgain) {
    const EventId event = bury(std::chrono::hours{1});
    const Moment first = *known(event).dead->event.expires_at;
    world.run(replaying(event));
    const Event again = *known(event).queued;
    EXPECT_GT(*again.expires_at, first);
    EXPECT_EQ(*again.expires_at - again.accepted_at, std::chrono::hours{1});
}

TEST_P(DeadEvents, AReplayQueuesBehindOtherEvents) {
    const EventId event = bury();
    const InstanceId target = start();
    op::SendEvent earlier = sent_to(target);
    earlier.value = document("1");
    world.run(earlier);
    world.run(replaying(event, target));
    for (const char* value : {"1", "5"}) {
        const Instance instance = world.read(target);
        const auto woken = world.run(op::Suspend{.cause = world.cause(),
                                                 .instance = target,
                                                 .run = {instance.run, instance.index},
                                                 .wait = {.names = {"paid"}}});
        EXPECT_EQ(std::get<op::Woken>(woken).value, document(value));
    }
}

TEST_P(DeadEvents, OfAReplayAndARemovalInOneRoundTheFirstWins) {
    const EventId event = bury();
    const auto first = run_together({replaying(event), removing(event), replaying(event)});
    ASSERT_EQ(first.size(), 3u);
    EXPECT_TRUE(
        std::holds_alternative<op::Queued>(std::get<op::ReplayDeadEvent::Outcome>(first[0])));
    EXPECT_TRUE(
        std::holds_alternative<op::NoDeadEvent>(std::get<op::RemoveDeadEvent::Outcome>(first[1])));
    EXPECT_TRUE(
        std::holds_alternative<op::NoDeadEvent>(std::get<op::ReplayDeadEvent::Outcome>(first[2])));
    EXPECT_TRUE(known(event).queued.has_value());
}

TEST_P(DeadEvents, AnEventMayDieAndBeReplayedInOneRound) {
    const InstanceId target = start();
    const InstanceId other = start();
    const op::SendEvent sent = sent_to(target);
    world.run(sent);
    const auto suspend_other = op::Suspend{
        .cause = world.cause(), .instance = other, .run = {1, 0}, .wait = {.names = {"paid"}}};
    const auto outcomes =
        run_together({finishing(target), replaying(sent.event, other), suspend_other});
    ASSERT_EQ(outcomes.size(), 3u);
    EXPECT_EQ(std::get<op::Woken>(std::get<op::Suspend::Outcome>(outcomes[2])).value,
              document("5"));
    const KnownEvent after = known(sent.event);
    EXPECT_FALSE(after.dead || after.queued);
    EXPECT_EQ(after.fates.size(), 1u);
}

TEST_P(DeadEvents, AReplayedEventMayDieAgainInTheSameRound) {
    const EventId event = bury();
    const InstanceId second = start();
    run_together({replaying(event, second), finishing(second)});
    const KnownEvent after = known(event);
    ASSERT_TRUE(after.dead);
    EXPECT_FALSE(after.queued);
    EXPECT_EQ(after.dead->event.target, second);
}

TEST_P(DeadEvents, ARepeatOfTheSendShowsWhereTheReplayWent) {
    const InstanceId target = start();
    op::SendEvent sent = sent_to(target);
    world.run(sent);
    world.run(finishing(target));
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(sent)))
        << "it was accepted and is dead";
    const InstanceId receiver = start();
    suspend(receiver, "paid");
    world.run(replaying(sent.event));
    EXPECT_EQ(std::get<op::Delivered>(world.run(sent)).to, receiver);
}

INSTANTIATE_TEST_SUITE_P(Stores, DeadEvents, ::testing::Values("memory", "sqlite"), store_name);

}  // namespace
}  // namespace holdfast::testing
