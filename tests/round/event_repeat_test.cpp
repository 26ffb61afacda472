// A repeat changes nothing if it is the same request, and is refused if it is another.
#include "support/world.h"

namespace holdfast::testing {
namespace {

class EventRepeat : public ::testing::TestWithParam<const char*> {
protected:
    EventRepeat() : world(GetParam()) { world.define("orders"); }

    InstanceId start() { return world.start("orders", "{}").id; }
    void finish(const InstanceId& id) {
        world.run(op::Finish{.cause = world.cause(), .instance = id, .run = {1, 0}});
    }
    op::SendEvent event(const std::string& name, std::optional<InstanceId> target = {}) {
        return {.cause = world.cause(),
                .event = world.ids.next<EventId>(),
                .event_name = name,
                .target = target,
                .value = document("5")};
    }

    World world;
};

TEST_P(EventRepeat, AnIdThatComesBackWithAnotherEventIsRefused) {
    const InstanceId target = start();
    op::SendEvent sent = event("paid", target);
    sent.on_target_ended = OnTargetEnded::dead_letter;
    world.run(sent);
    op::SendEvent other_name = sent;
    other_name.event_name = "shipped";
    op::SendEvent other_value = sent;
    other_value.value = document("6");
    op::SendEvent other_target = sent;
    other_target.target = start();
    const auto expect_taken = [&] {
        for (const op::SendEvent& other : {other_name, other_value, other_target})
            EXPECT_EQ(std::get<op::IdTaken>(world.run(other)).event, sent.event);
    };
    expect_taken();
    finish(target);
    expect_taken();
    world.run(op::RemoveDeadEvent{.cause = world.cause(), .event = sent.event});
    EXPECT_TRUE(std::holds_alternative<op::IdTaken>(world.run(other_name)));
}

TEST_P(EventRepeat, ABroadcastToAllThatReachedNobodyIsNotRepeated) {
    op::SendEvent all = event("stop");
    all.fan_out = FanOut::all;
    EXPECT_TRUE(std::get<op::FannedOut>(world.run(all)).to.empty());
    const InstanceId late = start();
    world.run(op::Suspend{
        .cause = world.cause(), .instance = late, .run = {1, 0}, .wait = {.names = {"stop"}}});
    EXPECT_TRUE(std::get<op::FannedOut>(world.run(all)).to.empty());
    EXPECT_EQ(world.read(late).status, Status::suspended);
    EXPECT_EQ(world.store->ask(FindEvent{all.event})->fates.at(0).fate, EventFate::discarded);

    all.event = world.ids.next<EventId>();
    for (int repeat = 0; repeat < 2; ++repeat)
        EXPECT_EQ(std::get<op::FannedOut>(world.run(all)).to, std::vector{late});
}

TEST_P(EventRepeat, ATimerSetByADurationIsNotPostponedByARepeat) {
    const InstanceId id = start();
    op::Suspend nap{.cause = world.cause(), .instance = id, .run = {1, 0}};
    nap.after = std::chrono::hours{1};
    const auto first = std::get<op::Asleep>(world.run(nap));
    const Wait registered = world.read(id).waits.front().wait;
    ASSERT_TRUE(registered.until);
    nap.cause = world.cause();
    EXPECT_EQ(std::get<op::Asleep>(world.run(nap)).token, first.token);
    EXPECT_EQ(world.read(id).waits.front().wait, registered);
}

INSTANTIATE_TEST_SUITE_P(Stores, EventRepeat, ::testing::Values("memory", "sqlite"), store_name);

}  // namespace
}  // namespace holdfast::testing
