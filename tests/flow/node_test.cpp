// Nodes on every store: the same flows through threads, commits and restarts.
#include "holdfast/node.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/json.hpp>
#include <latch>

#include "support/world.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

class NodeOn : public ::testing::TestWithParam<const char*> {
protected:
    holdfast::testing::StorePlace place{GetParam()};
    NodeOptions options() const { return {.store = place.url(), .workers = 4, .log_level = "off"}; }
    bool is_durable() const { return std::string_view(GetParam()) != "memory"; }
};

Flow<int> add(Context& ctx, int a, int b) {
    co_return co_await ctx.step("add", [=] { return a + b; });
}

TEST_P(NodeOn, RunsAFlow) {
    Node node(options());
    node.add("add", add);
    EXPECT_EQ(node.result<int>(node.start("add", 20, 22)), 42);
}

TEST_P(NodeOn, RunsManyFlowsAtOnce) {
    Node node(options());
    node.add("add", add);
    std::vector<std::string> ids;
    for (int i = 0; i < 200; ++i) ids.push_back(node.start("add", i, 1));
    for (int i = 0; i < 200; ++i) EXPECT_EQ(node.result<int>(ids[i]), i + 1);
}

TEST_P(NodeOn, StepsRunSideBySide) {
    Node node(options());
    // Neither passes without the other.
    std::latch both(2);
    node.add("pair", [&both](Context& ctx) -> Flow<int> {
        const auto meet = [&both] {
            both.arrive_and_wait();
            return 1;
        };
        auto [a, b] = co_await ctx.all(ctx.step("a", meet), ctx.step("b", meet));
        co_return a + b;
    });
    EXPECT_EQ(node.result<int>(node.start("pair")), 2);
}

TEST_P(NodeOn, AnEventWakesALiveFlowAndAForgottenOne) {
    Node node(options());
    std::atomic<int> begun = 0;
    node.add("wait", [&begun](Context& ctx) -> Flow<int> {
        ++begun;
        co_return co_await ctx.event<int>("go");
    });
    const std::string live = node.start("wait");
    node.send(live, "go", 1);
    EXPECT_EQ(node.result<int>(live), 1);

    const std::string forgotten = node.start("wait");
    while (node.status(forgotten) != "suspended" || node.live() == 0) std::this_thread::yield();
    const int before = begun;
    node.evict();
    node.send(forgotten, "go", 2);
    EXPECT_EQ(node.result<int>(forgotten), 2);
    EXPECT_LE(begun, before + 1);
}

TEST_P(NodeOn, ARetryIsADurableTimer) {
    Node node(options());
    std::atomic<int> runs = 0;
    node.add("call", [&runs](Context& ctx) -> Flow<int> {
        const StepOptions soon{.retry = {.pause = 1ms}};
        co_return co_await ctx.step(
            "call",
            [&runs](const Attempt& attempt) {
                if (++runs < 3) throw std::runtime_error("no line");
                return attempt.number;
            },
            soon);
    });
    EXPECT_EQ(node.result<int>(node.start("call")), 3);
    EXPECT_EQ(runs, 3);
}

TEST_P(NodeOn, AStepThatTakesTooLongIsToldSoAndFails) {
    Node node(options());
    node.add("slow", [](Context& ctx) -> Flow<std::string> {
        const StepOptions once{.retry = {.attempts = 1}, .timeout = 5ms};
        const auto hang = [](const Attempt& attempt) {
            while (!attempt.stop.stop_requested()) std::this_thread::yield();
        };
        try {
            co_await ctx.step("hang", hang, once);
        } catch (const StepFailed& failed) {
            co_return failed.last().type;
        }
        co_return "";
    });
    EXPECT_EQ(node.result<std::string>(node.start("slow")), "TimedOut");
}

TEST_P(NodeOn, ChildrenFanOutAndIn) {
    Node node(options());
    node.add("add", add);
    node.add("sum", [](Context& ctx, int count) -> Flow<int> {
        std::vector<Context::Wait<int>> children;
        for (int i = 0; i < count; ++i) children.push_back(ctx.child<int>("add", i, 0));
        int sum = 0;
        for (const int one : co_await ctx.all(children)) sum += one;
        co_return sum;
    });
    EXPECT_EQ(node.result<int>(node.start("sum", 100)), 4950);
}

TEST_P(NodeOn, ACancelledFlowUndoes) {
    Node node(options());
    std::atomic<int> undone = 0;
    node.add("trip", [&undone](Context& ctx) -> Flow<> {
        co_await ctx.step("book", [] {}).undo([&undone] { ++undone; });
        co_await ctx.event("never");
    });
    const std::string id = node.start("trip");
    while (node.status(id) != "suspended") std::this_thread::yield();
    EXPECT_TRUE(node.cancel(id));
    EXPECT_THROW(node.result(id), WorkflowFailed);
    EXPECT_EQ(node.status(id), "cancelled");
    EXPECT_EQ(undone, 1);
}

TEST_P(NodeOn, AFlowIsCancelledWhileItsStepRuns) {
    Node node(options());
    std::latch inside(1);
    std::latch go(1);
    std::atomic<int> undone = 0;
    node.add("trip", [&](Context& ctx) -> Flow<> {
        co_await ctx.step("book", [] {}).undo([&undone] { ++undone; });
        co_await ctx.step("wait", [&] {
            inside.count_down();
            go.wait();
        });
    });
    const std::string id = node.start("trip");
    inside.wait();
    EXPECT_TRUE(node.cancel(id));
    go.count_down();
    EXPECT_THROW(node.result(id), WorkflowFailed);
    EXPECT_EQ(undone, 1);
    EXPECT_EQ(node.status(id), "cancelled");
}

TEST_P(NodeOn, AnotherNodeContinuesWhereTheFirstStopped) {
    if (!is_durable()) return;
    std::atomic<int> runs = 0;
    const auto flow = [&runs](Context& ctx) -> Flow<int> {
        co_await ctx.step("count", [&runs] { ++runs; });
        const int more = co_await ctx.event<int>("go");
        co_return co_await ctx.step("add", [&] { return runs + more; });
    };
    std::string id;
    {
        Node first(options());
        first.add("flow", flow);
        id = first.start("flow");
        while (first.status(id) != "suspended") std::this_thread::yield();
    }
    Node second(options());
    second.add("flow", flow);
    second.send(id, "go", 10);
    EXPECT_EQ(second.result<int>(id), 11);
    EXPECT_EQ(runs, 1);
}

TEST_P(NodeOn, AStoppedNodeRefusesAndAStartWithAKeyIsOne) {
    Node node(options());
    node.add("add", add);
    const StartOptions once{.key = "k"};
    const std::string id = node.start("add", 1, 2, once);
    EXPECT_EQ(node.start("add", 1, 2, once), id);
    EXPECT_THROW(node.start("add", 1, 3, once), Misuse);
    node.stop();
    EXPECT_THROW(node.start("add", 1, 2), Misuse);
}

INSTANTIATE_TEST_SUITE_P(Stores, NodeOn, holdfast::testing::all_stores(),
                         holdfast::testing::store_name);

}  // namespace
}  // namespace holdfast
