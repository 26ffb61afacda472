#include "base/threads/worker_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <future>
#include <latch>

#include "base/threads/threads.h"
#include "support/eventually.h"

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

// A pool of one thread that is held, and the order in which its items ran.
// Long work takes processor time that nobody else wants.
TEST(WorkerPools, BackgroundThreadsRunAfterTheOthers) {
    const auto priority_in = [](WorkerPool& pool) {
        std::promise<int> found;
        WorkerPool::WorkItem item = [&] { found.set_value(::getpriority(PRIO_PROCESS, 0)); };
        EXPECT_TRUE(pool.post(item));
        return found.get_future().get();
    };
    WorkerPool usual("usual", 1, 1);
    WorkerPool background("long", 1, 1, Priority::background);
    EXPECT_GT(priority_in(background), priority_in(usual));
    EXPECT_GE(threads_for_long_work(), 1u);
}

class HeldPool : public ::testing::Test {
protected:
    HeldPool() {
        WorkerPool::WorkItem blocking = [this] {
            begun_.arrive_and_wait();
            go_.arrive_and_wait();
        };
        EXPECT_TRUE(pool_->post(blocking));
        begun_.arrive_and_wait();
    }

    bool post(int number, std::stop_token gone = {}) {
        WorkerPool::WorkItem item = [this, number] {
            ran_.push_back(number);
            ++done_;
        };
        return pool_->post(item, std::move(gone));
    }
    // Lets the thread go on until so many ran, and it has nothing else to do.
    std::vector<int> run(std::size_t count) {
        go_.arrive_and_wait();
        EXPECT_TRUE(testing::eventually([&] { return done_ == count; }));
        pool_->shutdown();
        return ran_;
    }

    std::latch begun_{2};
    std::latch go_{2};
    std::vector<int> ran_;
    std::atomic<std::size_t> done_ = 0;
    std::optional<WorkerPool> pool_{std::in_place, "test", 1, 2};
};

TEST_F(HeldPool, ItemsThatNobodyWaitsForGiveUpTheirPlaceAndRunLast) {
    std::stop_source first;
    std::stop_source second;
    EXPECT_TRUE(post(1, first.get_token()));
    EXPECT_TRUE(post(2, second.get_token()));
    EXPECT_FALSE(post(3));
    first.request_stop();
    EXPECT_TRUE(post(3));
    EXPECT_FALSE(post(4));
    EXPECT_EQ(run(3), (std::vector{2, 3, 1}));
}

TEST_F(HeldPool, ItemsThatNobodyWaitsForAreDroppedIfTheyAreTooMany) {
    std::vector<std::stop_source> clients(50);
    for (std::size_t i = 0; i < clients.size(); ++i) {
        ASSERT_TRUE(post(static_cast<int>(i), clients[i].get_token())) << i;
        clients[i].request_stop();
    }
    EXPECT_EQ(run(2), (std::vector{48, 49}));  // the queue holds two
}

TEST_F(HeldPool, ItemsThatNobodyWaitsForDoNotDelayAShutdown) {
    std::stop_source client;
    EXPECT_TRUE(post(1, client.get_token()));
    EXPECT_TRUE(post(2));
    client.request_stop();
    std::jthread stopping =
        named_thread("stopping", [this](std::stop_token) { pool_->shutdown(); });
    EXPECT_TRUE(testing::eventually([&] { return !post(3, client.get_token()); }));
    go_.arrive_and_wait();
    stopping.join();
    EXPECT_EQ(ran_, std::vector{2});
}

}  // namespace
}  // namespace holdfast
