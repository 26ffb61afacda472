// Events that are sent later (001.22): held in the queue, due by a signal, cancelled by their id.
#include "support/eventually.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

class DelayedEvents : public ::testing::TestWithParam<const char*> {
protected:
    DelayedEvents() : world(GetParam()) {
        world.define_program("checkout");
        world.define("orders");
        order = world.start("orders", "{}").id;
    }

    op::SendEvent later(std::chrono::microseconds after, std::optional<InstanceId> target = {}) {
        return {.cause = world.cause(),
                .event = world.ids.next<EventId>(),
                .event_name = "paid",
                .target = target,
                .value = document("7"),
                .after = after};
    }
    op::Suspend::Outcome wait(const InstanceId& id, Since since = Since::any) {
        const Instance instance = world.read(id);
        return world.run(op::Suspend{.cause = world.cause(),
                                     .instance = id,
                                     .run = {instance.run, instance.index, {}},
                                     .wait = {.names = {{"paid"}}, .since = since}});
    }
    std::vector<SignalRow> claim() {
        return world.store->claim({.node = *world.self.node, .programs = {"checkout"}})->signals;
    }
    op::HandleSignal::Outcome handle(const SignalRow& row) {
        return world.run(op::HandleSignal{.cause = world.cause(),
                                          .instance = row.instance,
                                          .signal = row.id,
                                          .lease = {*row.leased_by, row.epoch}});
    }
    // Waits until the next scheduled signal is due, and handles it.
    bool handle_due() {
        std::vector<SignalRow> due;
        EXPECT_TRUE(eventually([&] {
            due = claim();
            return !due.empty();
        }));
        bool woken = false;
        for (const SignalRow& row : due) {
            const auto outcome = handle(row);
            woken |= std::holds_alternative<op::Handled>(outcome) &&
                     std::get<op::Handled>(outcome).woken;
        }
        return woken;
    }
    std::size_t pending() { return world.store->ask(PendingEventQuery{})->items.size(); }
    EventFate fate(const EventId& id) {
        const KnownEvent known = *world.store->ask(FindEvent{id});
        return known.fates.empty() ? EventFate::queued : known.fates.front().fate;
    }

    World world;
    InstanceId order;
};

TEST_P(DelayedEvents, AnEventForAWaitIsDeliveredWhenItIsDueAndNotBefore) {
    const auto send = later(milliseconds(200), order);
    const auto scheduled = std::get<op::Scheduled>(world.run(send));
    wait(order);
    EXPECT_EQ(world.read(order).status, Status::suspended);
    EXPECT_TRUE(handle_due());
    const Instance woken = world.read(order);
    EXPECT_EQ(woken.status, Status::running);
    EXPECT_GE(woken.updated_at, scheduled.due);
    EXPECT_EQ(fate(send.event), EventFate::delivered);
    EXPECT_EQ(pending(), 0u);
    EXPECT_TRUE(claim().empty());
}

TEST_P(DelayedEvents, OneThatNobodyAwaitsIsQueuedWhenItIsDue) {
    const auto send = later(milliseconds(1));
    world.run(send);
    EXPECT_FALSE(handle_due());
    EXPECT_EQ(pending(), 1u);
    EXPECT_TRUE(std::holds_alternative<op::Woken>(wait(order)));
    EXPECT_EQ(pending(), 0u);
}

// The signal may be late: a wait takes what is due by itself.
TEST_P(DelayedEvents, AWaitTakesWhatIsDueAndTheSignalIsStaleThen) {
    world.run(later(milliseconds(1), order));
    EXPECT_TRUE(eventually([&] {
        return *world.store->ask(FindTime{}) > world.read(order).created_at + milliseconds(50);
    }));
    EXPECT_TRUE(std::holds_alternative<op::Woken>(wait(order)));
    EXPECT_FALSE(handle_due());
    EXPECT_EQ(pending(), 0u);
}

TEST_P(DelayedEvents, ItSurvivesARestart) {
    if (world.place.kind() == "memory") return;
    wait(order);
    world.run(later(milliseconds(1), order));
    world.restart();
    world.define_program("checkout");
    EXPECT_TRUE(handle_due());
    EXPECT_EQ(world.read(order).status, Status::running);
}

TEST_P(DelayedEvents, ItCanBeCancelledUntilItIsDue) {
    const auto send = later(hours(1), order);
    world.run(send);
    const op::CancelEvent cancel{.cause = world.cause(), .event = send.event};
    EXPECT_TRUE(std::holds_alternative<op::EventCancelled>(world.run(cancel)));
    EXPECT_EQ(fate(send.event), EventFate::cancelled);
    EXPECT_EQ(pending(), 0u);
    EXPECT_TRUE(std::holds_alternative<op::EventCancelled>(world.run(cancel))) << "a repeat";

    auto now = later(milliseconds(0), order);
    world.run(now);
    EXPECT_TRUE(std::holds_alternative<op::NotScheduled>(
        world.run(op::CancelEvent{.cause = world.cause(), .event = now.event})));
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(
        world.run(op::CancelEvent{.cause = world.cause(), .event = world.ids.next<EventId>()})));
}

TEST_P(DelayedEvents, TheSignalOfACancelledEventDoesNothing) {
    wait(order);
    const auto send = later(milliseconds(1), order);
    const auto scheduled = std::get<op::Scheduled>(world.run(send));
    // The clock may have passed the due time: then it is not cancelled, and delivered.
    const auto cancelled = world.run(op::CancelEvent{.cause = world.cause(), .event = send.event});
    const bool was_in_time = std::holds_alternative<op::EventCancelled>(cancelled);
    EXPECT_EQ(handle_due(), !was_in_time) << to_iso8601(scheduled.due);
    EXPECT_EQ(world.read(order).status, was_in_time ? Status::suspended : Status::running);
}

TEST_P(DelayedEvents, ARepeatIsAnsweredWithTheSameTime) {
    const auto send = later(hours(1), order);
    const auto first = std::get<op::Scheduled>(world.run(send));
    auto again = send;
    again.cause = world.cause();
    EXPECT_EQ(std::get<op::Scheduled>(world.run(again)).due, first.due);
    EXPECT_EQ(pending(), 1u);
}

TEST_P(DelayedEvents, TimeCountsFromWhenItIsDue) {
    auto send = later(hours(1), order);
    send.expire_after = hours(2);
    world.run(send);
    const Event held = world.store->ask(PendingEventQuery{})->items.at(0);
    EXPECT_EQ(*held.expires_at, held.accepted_at + hours(2));
    EXPECT_GT(held.accepted_at, *world.store->ask(FindTime{}) + milliseconds(59 * 60'000));
}

TEST_P(DelayedEvents, OneForEveryWaitGoesToThoseThatWaitWhenItIsDue) {
    const InstanceId other = world.start("orders", "{}").id;
    auto send = later(milliseconds(1));
    send.fan_out = FanOut::all;
    EXPECT_TRUE(std::holds_alternative<op::Scheduled>(world.run(send)));
    wait(order);
    wait(other);
    EXPECT_EQ(world.read(order).status, Status::suspended) << "no wait takes it by itself";
    EXPECT_TRUE(handle_due());
    EXPECT_EQ(world.read(order).status, Status::running);
    EXPECT_EQ(world.read(other).status, Status::running);
    EXPECT_EQ(pending(), 0u);
}

// 001.9: its policy applies when the target ends, and it is due as before.
TEST_P(DelayedEvents, AnEndSettlesWhatIsScheduledForTheTarget) {
    auto broadcast = later(milliseconds(1), order);
    broadcast.on_target_ended = OnTargetEnded::broadcast;
    const auto discard = later(hours(1), order);
    auto dead = later(hours(1), order);
    dead.on_target_ended = OnTargetEnded::dead_letter;
    for (const auto& send : {broadcast, discard, dead}) world.run(send);
    world.run(op::Cancel{.cause = world.cause(), .instance = order});
    EXPECT_EQ(fate(discard.event), EventFate::discarded);
    EXPECT_EQ(world.store->ask(DeadEventQuery{})->items.size(), 1u);
    const InstanceId other = world.start("orders", "{}").id;
    const bool taken = std::holds_alternative<op::Woken>(wait(other));
    EXPECT_EQ(handle_due(), !taken);
    EXPECT_EQ(world.read(other).status, Status::running);
}

TEST_P(DelayedEvents, ATargetThatTakesNoEventsIsRefusedAtOnce) {
    world.run(op::Cancel{.cause = world.cause(), .instance = order});
    EXPECT_TRUE(std::holds_alternative<op::Terminated>(world.run(later(hours(1), order))));
    EXPECT_TRUE(std::holds_alternative<op::NotFound>(
        world.run(later(hours(1), world.ids.next<InstanceId>()))));
    auto full = later(hours(1));
    full.queue_limit = 0;
    EXPECT_TRUE(std::holds_alternative<op::TooManyQueued>(world.run(full)));
    EXPECT_EQ(pending(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Stores, DelayedEvents, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
