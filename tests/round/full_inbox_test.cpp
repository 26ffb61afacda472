// The end of an instance with a full inbox settles it unread (001.9); inboxes are bounded in bytes.
#include "support/world.h"

namespace holdfast::testing {
namespace {

class FullInbox : public ::testing::TestWithParam<const char*> {
protected:
    FullInbox() : world(GetParam()) {
        world.define("orders");
        order = world.start("orders", "{}").id;
    }

    op::SendEvent event(const std::string& name, OnTargetEnded policy) {
        return {.cause = world.cause(),
                .event = world.ids.next<EventId>(),
                .event_name = name,
                .target = order,
                .value = document("\"" + std::string(1'000, 'v') + "\""),
                .on_target_ended = policy};
    }
    EventId queue(const std::string& name, OnTargetEnded policy) {
        const auto send = event(name, policy);
        EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(send)));
        return send.event;
    }
    InstanceId waiting(const std::string& name) {
        const Instance instance = world.start("orders", "{}");
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = instance.id,
                              .run = {instance.run, instance.index, {}},
                              .wait = {.names = {name}}});
        return instance.id;
    }
    void end() { world.run(op::Cancel{.cause = world.cause(), .instance = order}); }

    World world;
    InstanceId order;
};

// What a round of an end loads: keys, and values only of events that others wait for.
TEST_P(FullInbox, AnEndLoadsNoValuesButThoseThatAreDelivered) {
    for (int i = 0; i < 30; ++i) {
        queue("a", OnTargetEnded::discard);
        queue("b", OnTargetEnded::dead_letter);
        queue("c", OnTargetEnded::broadcast);
    }
    const auto writer = world.store->open_writer();
    ReadSet reads;
    reads.instance(order, Depth::row);
    reads.ending_inbox(order);
    const auto done = (*writer)->commit({world.ids.next<RoundId>(), reads}, [&](View& view) {
        EXPECT_EQ(view.mail().keys_to_release(order), std::vector<EventKey>{"c"});
        Instance& ended = view.edit(order);
        ended.status = Status::succeeded;
        ended.completed_at = view.now();
        view.execute(ended,
                     {.type = HistoryType::succeeded, .payload = "{}", .cause = world.cause()});
        view.mail().end_inbox(ended, Status::succeeded, view.now());
        EXPECT_EQ(view.mail().changes().ended_inboxes.size(), 1u);
        EXPECT_TRUE(view.mail().changes().taken.empty()) << "no event is written by itself";
        EXPECT_TRUE(view.mail().changes().buried.empty());
    });
    ASSERT_TRUE(done.has_value()) << done.error().message;
    EXPECT_EQ(world.store->ask(DeadEventQuery{{.limit = 100}})->items.size(), 30u);
    const auto pending = world.store->ask(PendingEventQuery{{.limit = 100}})->items;
    EXPECT_EQ(pending.size(), 30u);
    for (const Event& event : pending) EXPECT_FALSE(event.target);
}

TEST_P(FullInbox, EachEventFollowsItsOwnPolicy) {
    const EventId discarded = queue("a", OnTargetEnded::discard);
    const EventId dead = queue("a", OnTargetEnded::dead_letter);
    const EventId moved = queue("a", OnTargetEnded::broadcast);
    auto expiring = event("a", OnTargetEnded::dead_letter);
    expiring.expire_after = std::chrono::microseconds(1);
    world.run(expiring);
    end();
    EXPECT_EQ(world.store->ask(FindEvent{discarded})->fates.at(0).fate, EventFate::discarded);
    EXPECT_EQ(world.store->ask(FindEvent{dead})->dead->target_status, Status::cancelled);
    EXPECT_EQ(world.store->ask(FindEvent{dead})->dead->event.value.text().size(), 1'002u);
    EXPECT_EQ(world.store->ask(FindEvent{expiring.event})->fates.at(0).fate, EventFate::expired);
    ASSERT_TRUE(world.store->ask(FindEvent{moved})->queued.has_value());
    EXPECT_FALSE(world.store->ask(FindEvent{moved})->queued->target);
    const InstanceId taker = waiting("a");
    EXPECT_EQ(world.read(taker).status, Status::running) << "it is a broadcast now";
}

TEST_P(FullInbox, WaitsOfOthersGetWhatBecomesABroadcastOldestFirst) {
    const InstanceId first = waiting("c");
    const InstanceId second = waiting("c");
    std::vector<EventId> events;
    for (int i = 0; i < 4; ++i) events.push_back(queue("c", OnTargetEnded::broadcast));
    end();
    EXPECT_EQ(world.store->ask(FindEvent{events[0]})->fates.at(0).instance, first);
    EXPECT_EQ(world.store->ask(FindEvent{events[1]})->fates.at(0).instance, second);
    EXPECT_EQ(world.store->ask(PendingEventQuery{})->items.size(), 2u);
}

TEST_P(FullInbox, AnInboxIsBoundedInBytes) {
    auto send = event("a", OnTargetEnded::discard);
    send.queue_bytes = 2'500;
    for (int i = 0; i < 2; ++i) {
        send.event = world.ids.next<EventId>();
        EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(send)));
    }
    send.event = world.ids.next<EventId>();
    const auto full = std::get<op::TooManyQueued>(world.run(send));
    EXPECT_EQ(full.limit, 2'500u);
    EXPECT_EQ(full.unit, op::QueueUnit::bytes);
    send.target.reset();
    EXPECT_TRUE(std::holds_alternative<op::Queued>(world.run(send))) << "a queue of its own";
}

INSTANTIATE_TEST_SUITE_P(Stores, FullInbox, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
