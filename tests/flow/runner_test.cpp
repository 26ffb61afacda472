// What a runner keeps, and what it lets go.
#include "node/runner.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/world.h"

namespace holdfast {
namespace {

// Takes jobs until it is closed; runs none by itself.
struct Workers {
    std::deque<WorkerPool::WorkItem> jobs;
    bool closed = false;

    void post(WorkerPool::WorkItem job) {
        if (!closed) jobs.push_back(std::move(job));
    }
    void run_one() {
        WorkerPool::WorkItem job = std::move(jobs.front());
        jobs.pop_front();
        job();
    }
};

TEST(Runner, AFlowThatNoWorkerTakesAnyMoreGoesWithTheRunner) {
    holdfast::testing::World world("memory");
    world.define_program("pair");
    const Instance instance = world.start("pair", "{}");
    const auto kept = std::make_shared<int>();
    {
        const SystemClock clock;
        Workers workers;
        Runner runner;
        runner.add(flow::code_of("pair", [&kept](Context& ctx) -> Flow<> {
            const auto held = kept;
            co_await ctx.all(ctx.step("a", [] {}), ctx.step("b", [] {}));
        }));
        runner.start({.store = *world.store,
                      .coordinator = *world.coordinator,
                      .ids = world.ids,
                      .post = [&](WorkerPool::WorkItem job) { workers.post(std::move(job)); },
                      .clock = clock});
        runner.handle({.instance = instance.id, .program = "pair"}, [](Result<void>) {});
        ASSERT_EQ(workers.jobs.size(), 2U) << "both steps are to be run";
        EXPECT_EQ(kept.use_count(), 2);
        workers.closed = true;
        workers.run_one();  // its end is told to nobody
        workers.run_one();
    }
    EXPECT_EQ(kept.use_count(), 1);
}

}  // namespace
}  // namespace holdfast
