// What a node holds: one at a time per instance, so many at once, in order.
#include "pump/desk.h"

#include "base/id_source.h"
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

class Desks : public ::testing::Test {
protected:
    Desks() : ids(clock, 1) { programs.add("orders", handler); }

    void open(std::size_t at_once) {
        desk = Desk::make(programs, {.at_once = at_once,
                                     .held = 4,
                                     .post =
                                         [](WorkerPool::Job& job) {
                                             job();
                                             return true;
                                         },
                                     .finished =
                                         [this](const Work&, const Result<void>& result) {
                                             ++finished;
                                             if (!result) ++failed;
                                         }});
        desk->open();
    }
    Work work(InstanceId instance) {
        return {.instance = instance,
                .lease = {life, 1},
                .id = ids.next<SignalId>(),
                .program = "orders"};
    }
    Work work() { return work(ids.next<InstanceId>()); }

    SystemClock clock;
    IdSource ids;
    TestHandler handler;
    Programs programs;
    NodeId life = ids.next<NodeId>();
    std::shared_ptr<Desk> desk;
    std::size_t finished = 0;
    std::size_t failed = 0;
};

TEST_F(Desks, HandOutOneAtATimePerInstance) {
    open(10);
    const Work first = work();
    const Work second = work(first.instance);
    desk->offer(first, Desk::Origin::own);
    desk->offer(second, Desk::Origin::own);
    EXPECT_EQ(desk->in_hand(), 1U);
    handler.release();
    EXPECT_EQ(handler.seen(2)[1].id, second.id);
    EXPECT_EQ(desk->held(), 1U);
}

TEST_F(Desks, TrySuspectsOneAtATimeAndMoreWhenTheyComeThrough) {
    open(4);
    const auto suspect = [this] {
        Work begun_before = work();
        begun_before.attempts = 3;
        return begun_before;
    };
    EXPECT_EQ(desk->room_for_suspects(), 1U);
    desk->offer(work(), Desk::Origin::claimed);
    EXPECT_EQ(desk->room_for_suspects(), 1U);
    handler.release();
    desk->offer(suspect(), Desk::Origin::claimed);
    EXPECT_EQ(desk->room_for_suspects(), 0U);
    handler.release();
    EXPECT_EQ(desk->room_for_suspects(), 2U);
    for (int i = 0; i < 5; ++i) {
        desk->offer(suspect(), Desk::Origin::claimed);
        handler.release();
    }
    EXPECT_EQ(desk->room_for_suspects(), 4U);
}

TEST_F(Desks, HandOutNoMoreThanTheLimit) {
    open(2);
    for (int i = 0; i < 5; ++i) desk->offer(work(), Desk::Origin::own);
    EXPECT_EQ(desk->in_hand(), 2U);
    for (int i = 0; i < 5; ++i) handler.release();
    EXPECT_EQ(handler.most_at_once(), 2U);
    EXPECT_EQ(desk->held(), 0U);
    EXPECT_EQ(finished, 5U);
}

TEST_F(Desks, DoNotTakeTheSameTwice) {
    open(10);
    const Work once = work();
    desk->offer(once, Desk::Origin::own);
    desk->offer(once, Desk::Origin::claimed);
    EXPECT_EQ(desk->held(), 1U);
    Work again = once;
    again.lease.epoch = 2;
    desk->offer(again, Desk::Origin::claimed);
    EXPECT_EQ(desk->held(), 2U);
}

TEST_F(Desks, HaveNoRoomWhenTheyAreFullButAShareForOthersWork) {
    open(4);
    for (int i = 0; i < 4; ++i) desk->offer(work(), Desk::Origin::own);
    EXPECT_FALSE(desk->has_room());
    EXPECT_EQ(desk->room_for_claims(), 1U);
    desk->offer(work(), Desk::Origin::claimed);
    EXPECT_EQ(desk->room_for_claims(), 0U);
}

TEST_F(Desks, ForgetWhatALifeThatIsOverHeld) {
    open(1);
    desk->offer(work(), Desk::Origin::own);
    desk->offer(work(), Desk::Origin::own);
    desk->drop(life);
    EXPECT_EQ(desk->held(), 1U) << "what is in hand stays until its handler lets go";
    EXPECT_EQ(handler.dropped(), std::vector{life});
    handler.release(fail(ErrorCode::conflict, "dropped"));
    EXPECT_EQ(desk->held(), 0U);
    EXPECT_EQ(failed, 1U);
}

TEST_F(Desks, DoNotWaitForEverWhenTheyClose) {
    open(1);
    desk->offer(work(), Desk::Origin::own);
    EXPECT_FALSE(desk->close(std::chrono::milliseconds(1)));
    handler.release();
    EXPECT_TRUE(desk->close(std::chrono::milliseconds(1)));
    EXPECT_EQ(finished, 0U) << "nobody is told any more";
}

TEST_F(Desks, OutliveNoHandler) {
    open(1);
    desk->offer(work(), Desk::Origin::own);
    desk.reset();
    handler.release();
    EXPECT_EQ(finished, 0U);
}

}  // namespace
}  // namespace holdfast::testing
