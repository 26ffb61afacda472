#include "base/threads/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "base/threads/threads.h"

namespace holdfast {
namespace {

TEST(WorkerPools, RunEveryItemOfABurst) {
    std::atomic<std::size_t> done = 0;
    constexpr std::size_t each = 20'000;
    {
        WorkerPool pool("test", 8, 1'000'000);
        std::vector<std::jthread> posters;
        for (int i = 0; i < 4; ++i)
            posters.push_back(named_thread("poster", [&](std::stop_token) {
                for (std::size_t n = 0; n < each; ++n) {
                    WorkerPool::WorkItem item = [&] { ++done; };
                    ASSERT_TRUE(pool.post(item));
                }
            }));
        posters.clear();
    }
    EXPECT_EQ(done, 4 * each);
}

// A woken thread wakes the next one, so that all blocking items start.
TEST(WorkerPools, WakeAsManyThreadsAsThereAreBlockingItems) {
    WorkerPool pool("test", 8, 1'000);
    for (int round = 0; round < 200; ++round) {
        const auto all = std::make_shared<std::latch>(9);  // eight items and this thread
        for (int i = 0; i < 8; ++i) {
            WorkerPool::WorkItem item = [all] { all->arrive_and_wait(); };
            ASSERT_TRUE(pool.post(item));
        }
        all->arrive_and_wait();
    }
}

TEST(WorkerPools, RefuseItemsWhenTheQueueIsFull) {
    WorkerPool pool("test", 1, 2);
    std::latch begun(2);
    std::latch go(2);
    WorkerPool::WorkItem blocking = [&] {
        begun.arrive_and_wait();
        go.arrive_and_wait();
    };
    ASSERT_TRUE(pool.post(blocking));
    begun.arrive_and_wait();
    WorkerPool::WorkItem first = [] {};
    WorkerPool::WorkItem second = [] {};
    WorkerPool::WorkItem third = [] {};
    EXPECT_TRUE(pool.post(first));
    EXPECT_TRUE(pool.post(second));
    EXPECT_FALSE(pool.post(third));
    go.arrive_and_wait();
}

}  // namespace
}  // namespace holdfast
