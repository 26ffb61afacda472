// Ownership of flows by the runner.
#include "node/runner.h"

#include <gtest/gtest.h>

#include <deque>

#include "support/world.h"

namespace holdfast {
namespace {

// Queues work items until it is closed; runs them only on request.
struct Workers {
    std::deque<WorkerPool::WorkItem> items;
    bool closed = false;

    void post(WorkerPool::WorkItem item) {
        if (!closed) items.push_back(std::move(item));
    }
    void run_one() {
        WorkerPool::WorkItem item = std::move(items.front());
        items.pop_front();
        item();
    }
};

TEST(Runner, AFlowThatNoWorkerRunsIsDestroyedWithTheRunner) {
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
                      .post = [&](WorkerPool::WorkItem item) { workers.post(std::move(item)); },
                      .clock = clock});
        runner.handle({.instance = instance.id, .program = "pair"}, [](Result<void>) {});
        ASSERT_EQ(workers.items.size(), 2U) << "both steps are queued";
        EXPECT_EQ(kept.use_count(), 2);
        workers.closed = true;
        workers.run_one();  // the end of the step is dropped
        workers.run_one();
    }
    EXPECT_EQ(kept.use_count(), 1);
}

}  // namespace
}  // namespace holdfast
