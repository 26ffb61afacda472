// Starts, sends and results without a thread that waits for each.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <latch>

#include "holdfast/future.h"
#include "holdfast/node.h"
#include "support/world.h"

namespace holdfast {
namespace {

class Futures : public ::testing::TestWithParam<const char*> {
protected:
    holdfast::testing::StorePlace place{GetParam()};
    NodeOptions options() const { return {.store = place.url(), .workers = 4, .log_level = "off"}; }
};

INSTANTIATE_TEST_SUITE_P(Stores, Futures, holdfast::testing::all_stores(),
                         holdfast::testing::store_name);

Flow<int> plus(Context& ctx, int a, int b) {
    co_return co_await ctx.step("add", [=] { return a + b; });
}

TEST_P(Futures, KeepManyWorkflowsUnderWayWithoutAThreadForEach) {
    constexpr int count = 300;
    Node node(options());
    node.add("add", plus);
    std::atomic<int> sum = 0;
    std::latch ended(count);
    for (int i = 0; i < count; ++i)
        node.start_async("add", i, 1).then([&](Future<std::string> started) {
            node.result_async<int>(started.get()).then([&](Future<int> result) {
                sum += result.get();
                ended.count_down();
            });
        });
    ended.wait();
    EXPECT_EQ(sum, count * (count - 1) / 2 + count);
}

TEST_P(Futures, GiveTheFailure) {
    Node node(options());
    node.add("fail", [](Context&) -> Flow<int> { throw std::runtime_error("no"); });
    EXPECT_THROW((void)node.start_async("unknown").get(), Misuse);
    const std::string id = node.start_async("fail").get();
    EXPECT_THROW((void)node.result_async<int>(id).get(), WorkflowFailed);
    EXPECT_EQ(node.send_async(id, "late", 1).get(), Sent::ended);
    const std::string nobody = "00000000-0000-7000-8000-000000000000";
    EXPECT_THROW((void)node.result_async(nobody).get(), Misuse);
}

TEST_P(Futures, OfANodeThatStopsGiveUnavailable) {
    Node node(options());
    node.add("waits", [](Context& ctx) -> Flow<int> { co_return co_await ctx.event<int>("go"); });
    auto result = node.result_async<int>(node.start("waits"));
    node.stop();
    EXPECT_THROW((void)result.get(), Unavailable);
}

struct Detached {
    struct promise_type {
        Detached get_return_object() { return {}; }
        std::suspend_never initial_suspend() noexcept { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};

Detached add_twice(Node& node, std::promise<int>& sum) {
    const std::string first = co_await node.start_async("add", 1, 2);
    const int three = co_await node.result_async<int>(first);
    const std::string second = co_await node.start_async("add", three, 4);
    sum.set_value(co_await node.result_async<int>(second));
}

TEST_P(Futures, AreAwaitedByCoroutines) {
    Node node(options());
    node.add("add", plus);
    std::promise<int> sum;
    add_twice(node, sum);
    EXPECT_EQ(sum.get_future().get(), 7);
}

}  // namespace
}  // namespace holdfast
