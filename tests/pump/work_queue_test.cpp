// The work of a node: one at a time per instance, a limited number at once, in order.
#include "pump/signals/work_queue.h"

#include "base/ids/id_source.h"
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

class WorkQueues : public ::testing::Test {
protected:
    WorkQueues() : ids(clock, 1) {
        programs.add("orders", handler);
        programs.add("invoices", handler);
    }

    void open(std::size_t at_once) {
        work_queue =
            WorkQueue::make(programs, {.at_once = at_once,
                                       .held = 4,
                                       .post =
                                           [](WorkerPool::WorkItem& job) {
                                               job();
                                               return true;
                                           },
                                       .finished =
                                           [this](const Work&, const Result<void>& result) {
                                               ++finished;
                                               if (!result) ++failed;
                                           }});
        work_queue->open();
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
    std::shared_ptr<WorkQueue> work_queue;
    std::size_t finished = 0;
    std::size_t failed = 0;
};

TEST_F(WorkQueues, RunOneAtATimePerInstance) {
    open(10);
    const Work first = work();
    const Work second = work(first.instance);
    work_queue->offer(first, WorkQueue::Origin::own);
    work_queue->offer(second, WorkQueue::Origin::own);
    EXPECT_EQ(work_queue->running(), 1U);
    handler.release();
    EXPECT_EQ(handler.seen(2)[1].id, second.id);
    EXPECT_EQ(work_queue->held(), 1U);
}

TEST_F(WorkQueues, TrySuspectsOneAtATimeAndMoreWhenTheySucceed) {
    open(4);
    const auto suspect = [this] {
        Work begun_before = work();
        begun_before.attempts = 3;
        return begun_before;
    };
    EXPECT_EQ(work_queue->room_for_suspects(), 1U);
    work_queue->offer(work(), WorkQueue::Origin::claimed);
    EXPECT_EQ(work_queue->room_for_suspects(), 1U);
    handler.release();
    work_queue->offer(suspect(), WorkQueue::Origin::claimed);
    EXPECT_EQ(work_queue->room_for_suspects(), 0U);
    handler.release();
    EXPECT_EQ(work_queue->room_for_suspects(), 2U);
    for (int i = 0; i < 5; ++i) {
        work_queue->offer(suspect(), WorkQueue::Origin::claimed);
        handler.release();
    }
    EXPECT_EQ(work_queue->room_for_suspects(), 4U);
}

TEST_F(WorkQueues, LetTheProgramsTakeTurns) {
    open(1);
    for (int i = 0; i < 4; ++i) work_queue->offer(work(), WorkQueue::Origin::own);
    Work quiet = work();
    quiet.program = "invoices";
    work_queue->offer(quiet, WorkQueue::Origin::own);
    for (int i = 0; i < 5; ++i) handler.release();
    EXPECT_EQ(handler.seen(5)[2].id, quiet.id) << "one was running, one had its turn before";
}

TEST_F(WorkQueues, RunNoMoreThanTheLimit) {
    open(2);
    for (int i = 0; i < 5; ++i) work_queue->offer(work(), WorkQueue::Origin::own);
    EXPECT_EQ(work_queue->running(), 2U);
    for (int i = 0; i < 5; ++i) handler.release();
    EXPECT_EQ(handler.most_receivers(), 2U);
    EXPECT_EQ(work_queue->held(), 0U);
    EXPECT_EQ(finished, 5U);
}

TEST_F(WorkQueues, DoNotTakeTheSameTwice) {
    open(10);
    const Work once = work();
    work_queue->offer(once, WorkQueue::Origin::own);
    work_queue->offer(once, WorkQueue::Origin::claimed);
    EXPECT_EQ(work_queue->held(), 1U);
    Work again = once;
    again.lease.epoch = 2;
    work_queue->offer(again, WorkQueue::Origin::claimed);
    EXPECT_EQ(work_queue->held(), 2U);
}

TEST_F(WorkQueues, ReserveAShareForClaimedWorkWhenTheyAreFull) {
    open(4);
    for (int i = 0; i < 4; ++i) work_queue->offer(work(), WorkQueue::Origin::own);
    EXPECT_FALSE(work_queue->has_room());
    EXPECT_EQ(work_queue->room_for_claims(), 1U);
    work_queue->offer(work(), WorkQueue::Origin::claimed);
    EXPECT_EQ(work_queue->room_for_claims(), 0U);
}

TEST_F(WorkQueues, DropTheWorkOfALifeThatIsOver) {
    open(1);
    work_queue->offer(work(), WorkQueue::Origin::own);
    work_queue->offer(work(), WorkQueue::Origin::own);
    work_queue->drop(life);
    EXPECT_EQ(work_queue->held(), 1U) << "running work stays until its handler is done";
    EXPECT_EQ(handler.dropped(), std::vector{life});
    handler.release(fail(ErrorCode::conflict, "dropped"));
    EXPECT_EQ(work_queue->held(), 0U);
    EXPECT_EQ(failed, 1U);
}

TEST_F(WorkQueues, DoNotWaitForEverWhenTheyClose) {
    open(1);
    work_queue->offer(work(), WorkQueue::Origin::own);
    EXPECT_FALSE(work_queue->close(std::chrono::milliseconds(1)));
    handler.release();
    EXPECT_TRUE(work_queue->close(std::chrono::milliseconds(1)));
    EXPECT_EQ(finished, 0U) << "reports are ignored after close";
}

TEST_F(WorkQueues, MayBeDestroyedBeforeTheirHandlersAreDone) {
    open(1);
    work_queue->offer(work(), WorkQueue::Origin::own);
    work_queue.reset();
    handler.release();
    EXPECT_EQ(finished, 0U);
}

}  // namespace
}  // namespace holdfast::testing
