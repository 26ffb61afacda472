#include "base/threads/long_work.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <vector>

#include "base/threads/worker_pool.h"

namespace holdfast {
namespace {

// Two kinds of threads that take turns.
struct Lanes {
    explicit Lanes(std::size_t at_once) : turns(at_once) {}

    void post(WorkerPool& pool, LongWork::Work work) {
        auto in_turn = turns.in_turn(std::move(work));
        EXPECT_TRUE(pool.post(in_turn));
    }

    LongWork turns;
    WorkerPool first{"first", 3, 100};
    WorkerPool second{"second", 3, 100};
};

TEST(LongWorks, RunOnlySoManyAtATimeWhateverThreadTheyAreOn) {
    std::atomic<int> running = 0;
    std::atomic<int> most = 0;
    std::atomic<int> done = 0;
    {
        Lanes lanes(2);
        const auto work = [&] {
            const int now = ++running;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            std::this_thread::yield();
            --running;
            ++done;
        };
        for (int i = 0; i < 50; ++i) {
            lanes.post(lanes.first, work);
            lanes.post(lanes.second, work);
        }
        lanes.first.shutdown();
        lanes.second.shutdown();
    }
    EXPECT_EQ(done, 100);
    EXPECT_LE(most, 2);
}

TEST(LongWorks, AThreadThatHasMoreToDoWaitsForTheOthers) {
    std::vector<int> ran;
    std::latch begun{2};
    std::latch go{2};
    LongWork turns(1);
    WorkerPool many("many", 1, 10);
    WorkerPool one("one", 1, 10);
    auto held = turns.in_turn([&] {
        begun.arrive_and_wait();
        go.arrive_and_wait();
    });
    EXPECT_TRUE(many.post(held));
    begun.arrive_and_wait();
    std::latch came{2};
    auto other = turns.in_turn([&] { ran.push_back(1); });
    WorkerPool::WorkItem comes = [&came, work = std::move(other)]() mutable {
        came.count_down();
        work();
    };
    EXPECT_TRUE(one.post(comes));
    for (int i = 2; i < 5; ++i) {
        auto more = turns.in_turn([&ran, i] { ran.push_back(i); });
        EXPECT_TRUE(many.post(more));
    }
    came.arrive_and_wait();
    go.arrive_and_wait();
    many.shutdown();
    one.shutdown();
    ASSERT_EQ(ran.size(), 4u);
    EXPECT_TRUE(ran[0] == 1 || ran[1] == 1) << "at most one of the many went before";
}

}  // namespace
}  // namespace holdfast
