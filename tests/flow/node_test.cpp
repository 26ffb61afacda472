// Nodes on every store: the same flows through threads, commits and restarts.
#include "holdfast/node.h"

#include <gtest/gtest.h>

#include <atomic>
#include <boost/json.hpp>
#include <latch>

#include "base/threads/threads.h"
#include "node/node_options.h"
#include "support/eventually.h"
#include "support/server_client.h"
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
    // Each step waits for the other.
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

// The lost thread is the only worker, so another one must take its place.
TEST_P(NodeOn, AStepThatHangsLetsItsWorkflowAndTheOthersGoOn) {
    NodeOptions small = options();
    small.workers = 1;
    small.step_limit = 100ms;
    std::latch go(1);
    std::atomic<int> attempts = 0;
    std::atomic<int> returned = 0;
    {
        Node node(small);
        node.add("add", add);
        node.add("hang", [&](Context& ctx) -> Flow<int> {
            co_return co_await ctx.step("wait", [&] {
                const int attempt = ++attempts;
                if (attempt == 1) go.wait();
                ++returned;
                return attempt;
            });
        });
        node.add("pair", [&](Context& ctx) -> Flow<int> {
            const auto one = [&] {
                if (++attempts == 1) go.wait();
                ++returned;
                return 1;
            };
            auto [a, b] = co_await ctx.all(ctx.step("a", one), ctx.step("b", [] { return 2; }));
            co_return a + b;
        });
        EXPECT_EQ(node.result<int>(node.start("hang")), 2) << "the second attempt";
        EXPECT_EQ(node.result<int>(node.start("add", 20, 22)), 42);
        attempts = 0;
        EXPECT_EQ(node.result<int>(node.start("pair")), 3);
        EXPECT_EQ(node.result<int>(node.start("add", 20, 22)), 42);
        EXPECT_EQ(returned, 2);
        holdfast::testing::ServerClient client(node.serve("127.0.0.1:0"));
        EXPECT_EQ(client.metric(R"(holdfast_given_up_total{what="step"})"), 2);
        go.count_down();
    }
    EXPECT_EQ(returned, 4) << "the lost threads ended with the node";
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
    ASSERT_TRUE(testing::eventually(
        [&] { return node.status(forgotten) == "suspended" && node.live() > 0; }));
    const int before = begun;
    node.evict();
    node.send(forgotten, "go", 2);
    EXPECT_EQ(node.result<int>(forgotten), 2);
    EXPECT_LE(begun, before + 1);
}

TEST_P(NodeOn, ALiveFlowIsNotReplayed) {
    Node node(options());
    std::atomic<int> begun = 0;
    node.add("count", [&begun](Context& ctx) -> Flow<int> {
        ++begun;
        int sum = 0;
        for (int i = 0; i < 20; ++i) sum += co_await ctx.event<int>("add");
        co_return sum;
    });
    const std::string id = node.start("count");
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(testing::eventually([&] { return node.status(id) == "suspended"; }));
        node.send(id, "add", i);
    }
    EXPECT_EQ(node.result<int>(id), 190);
    EXPECT_EQ(begun, 1);
}

TEST_P(NodeOn, AWaitForTasksEndsWithATaskOrWithTheWorkflow) {
    Node node(options());
    node.add("ask", [](Context& ctx, bool asks) -> Flow<> {
        co_await ctx.event("go");
        const TaskRequest request{.name = "answer"};
        if (asks) co_await ctx.human_task(request);
    });
    for (const bool asks : {true, false}) {
        const std::string id = node.start("ask", asks);
        const auto sender =
            named_thread("sends", [&](const std::stop_token&) { node.send(id, "go", 1); });
        EXPECT_EQ(node.wait_for_tasks(id).size(), asks ? 1u : 0u);
    }
}

TEST_P(NodeOn, OnlySoManyFlowsAreKeptWhileTheyWait) {
    NodeOptions few = options();
    few.most_live = 3;
    Node node(few);
    std::atomic<int> runs = 0;
    node.add("wait", [&runs](Context& ctx, int n) -> Flow<int> {
        co_await ctx.step("count", [&runs] { ++runs; });
        co_return n + co_await ctx.event<int>("go");
    });
    std::vector<std::string> ids;
    for (int i = 0; i < 20; ++i) ids.push_back(node.start("wait", i));
    for (const std::string& id : ids)
        ASSERT_TRUE(testing::eventually([&] { return node.status(id) == "suspended"; }));
    ASSERT_TRUE(testing::eventually([&] { return node.live() <= 3; }));
    EXPECT_EQ(node.live(), 3);
    for (const std::string& id : ids) node.send(id, "go", 100);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(node.result<int>(ids[i]), i + 100);
    EXPECT_EQ(runs, 20);
}

TEST_P(NodeOn, ANodeThatStopsLetsItsStepsEnd) {
    if (!is_durable()) return;
    std::atomic<int> runs = 0;
    std::latch inside(1);
    std::latch go(1);
    const auto flow = [&](Context& ctx) -> Flow<int> {
        co_return co_await ctx.step("work", [&] {
            if (++runs == 1) {
                inside.count_down();
                go.wait();
            }
            return 5;
        });
    };
    std::string id;
    {
        Node first(options());
        first.add("flow", flow);
        id = first.start("flow");
        inside.wait();
        std::jthread stopping([&first] { first.stop(); });
        go.count_down();
    }
    Node second(options());
    second.add("flow", flow);
    EXPECT_EQ(second.result<int>(id), 5);
    EXPECT_EQ(runs, 1);
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

TEST_P(NodeOn, AStepThatExceedsItsTimeoutIsStoppedAndFails) {
    Node node(options());
    node.add("slow", [](Context& ctx) -> Flow<std::string> {
        const StepOptions once{.retry = {.attempts = 1}, .timeout = 5ms};
        const auto hang = [](const Attempt& attempt) {
            EXPECT_TRUE(testing::eventually([&] { return attempt.stop.stop_requested(); }));
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
    ASSERT_TRUE(testing::eventually([&] { return node.status(id) == "suspended"; }));
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

TEST_P(NodeOn, ACancellationAtAnyMomentLeavesAFlowEitherDoneOrUndone) {
    Node node(options());
    std::atomic<int> undone = 0;
    node.add("trip", [&](Context& ctx) -> Flow<int> {
        co_await ctx.step("book", [] {}).undo([&undone] { ++undone; });
        co_await ctx.step("pay", [] {});
        co_return 7;
    });
    int cancelled = 0;
    for (int i = 0; i < 200; ++i) {
        const std::string id = node.start("trip");
        for (int spin = 0; spin < (i % 50) * 40; ++spin) std::this_thread::yield();
        node.cancel(id);
        try {
            EXPECT_EQ(node.result<int>(id), 7);
        } catch (const WorkflowFailed&) {
            ++cancelled;
            const auto history = node.history(id);
            const bool booked = std::ranges::any_of(history, [](const HistoryEntry& entry) {
                return boost::json::serialize(entry.payload).contains(R"("name":"book")");
            });
            const bool unbooked = std::ranges::any_of(history, [](const HistoryEntry& entry) {
                return boost::json::serialize(entry.payload).contains(R"("name":"undo book")");
            });
            EXPECT_EQ(booked, unbooked);
        }
    }
    EXPECT_LE(undone, cancelled);
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
        ASSERT_TRUE(testing::eventually([&] { return first.status(id) == "suspended"; }));
    }
    Node second(options());
    second.add("flow", flow);
    second.send(id, "go", 10);
    EXPECT_EQ(second.result<int>(id), 11);
    EXPECT_EQ(runs, 1);
}

TEST_P(NodeOn, ACheckBeforeADeployTouchesNothing) {
    if (!is_durable()) return;
    const auto flow = [](std::string step) {
        return [step](Context& ctx) -> Flow<int> {
            co_await ctx.step(step, [] {});
            co_return co_await ctx.event<int>("go");
        };
    };
    std::string id;
    {
        Node old(options());
        old.add("flow", flow("charge"));
        id = old.start("flow");
        ASSERT_TRUE(testing::eventually([&] { return old.status(id) == "suspended"; }));
    }
    std::size_t entries = 0;
    {
        // A node without the program: the flow is runnable, but no node can run it.
        Node bystander(options());
        EXPECT_EQ(bystander.send(id, "go", 7), Sent::delivered);
        entries = bystander.history(id).size();
    }
    {
        Node next(options());
        next.add("flow", flow("bill"));
        const std::vector<Divergence> found = next.check();
        ASSERT_EQ(found.size(), 1);
        EXPECT_EQ(found[0].id, id);
        EXPECT_EQ(found[0].flow, "flow");
        EXPECT_EQ(found[0].expected, "step 'bill'");
        EXPECT_EQ(found[0].found, "'charge'");
    }
    Node old(options());
    old.add("flow", flow("charge"));
    EXPECT_TRUE(old.check().empty());
    EXPECT_EQ(old.result<int>(id), 7);
    EXPECT_EQ(old.history(id).size(), entries + 1) << "an incident, say";
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

// What an operator set over HTTP survives the next start of the program.
TEST_P(NodeOn, ADeployKeepsTheSettingsOfADefinition) {
    const std::string target = "/api/v1/definitions/add";
    const std::string settings =
        R"({"schema": {"type": "object"}, "indexes": ["step"], "retention": {"keepFor": "5d"}})";
    std::optional<Node> first(options());
    first->add("add", add);
    const auto set = testing::ServerClient(first->serve("127.0.0.1:0")).define("add", settings);
    ASSERT_TRUE(set && set->status == 201);
    if (!is_durable()) return;
    first.reset();
    Node second(options());
    second.add("add", add);
    testing::ServerClient again(second.serve("127.0.0.1:0"));
    const auto kept = again.must_get(target);
    EXPECT_EQ(kept.at("version"), set->body.at("version"));
    EXPECT_EQ(kept.at("keepForMicroseconds"), set->body.at("keepForMicroseconds"));
    EXPECT_EQ(kept.at("schema"), set->body.at("schema"));
    EXPECT_EQ(kept.at("indexes").as_array().size(), 1u);
    EXPECT_EQ(kept.at("kind"), "flow");
    EXPECT_EQ(second.result<int>(second.start("add", 20, 22)), 42);
}

TEST_P(NodeOn, HasTheRetentionAndTheLimitsOfAServer) {
    NodeOptions wanted = options();
    wanted.keep_ended = 1us;
    wanted.event_queue = 1;
    wanted.dead_letters = DeadLetters::hold;
    Node node(wanted);
    node.add("add", add);
    node.add("wait", [](Context& ctx) -> Flow<int> { co_return co_await ctx.event<int>("other"); });
    const std::string ended = node.start("add", 20, 22);
    EXPECT_EQ(node.result<int>(ended), 42);
    const std::string waiting = node.start("wait");
    testing::ServerClient client(node.serve("127.0.0.1:0"));
    const std::string go = "/api/v1/workflows/" + waiting + "/events/go";
    EXPECT_EQ(client.post(go, R"({"value": 1})")->status, 202);
    EXPECT_EQ(client.post(go, R"({"value": 1})")->status, 429);
    EXPECT_EQ(node.send(waiting, "go", 1), Sent::refused);
    int status = 200;
    for (int i = 0; i < 10 && status == 200; ++i) {
        client.post("/api/v1/retention/run", "{}");
        status = client.get("/api/v1/workflows/" + ended)->status;
    }
    EXPECT_EQ(status, 404) << "retention deleted it";
    EXPECT_EQ(client.get("/api/v1/workflows/" + waiting)->status, 200);
}

TEST_P(NodeOn, BuildsTheIndexesThatADefinitionDeclares) {
    Node node(options());
    testing::ServerClient client(node.serve("127.0.0.1:0"));
    const std::string target = "/api/v1/definitions/order";
    EXPECT_EQ(client.define("order", R"({"indexes": ["customer"]})")->status, 201);
    EXPECT_TRUE(testing::eventually(
        [&] { return client.must_get(target).at_pointer("/indexes/0/ready") == Json(true); }));
}

// Whatever a server can be told by a flag, a node can be told too: a new setting that only one of
// them knows does not compile here.
TEST(NodeSettings, ReachTheEngine) {
    NodeOptions wanted{.store = "memory:", .name = "n"};
    wanted.trace_rounds = "trace";
    wanted.writers = 3;
    wanted.queue = 4;
    wanted.allow_weak_durability = true;
    wanted.receive_wait = 5s;
    wanted.max_concurrent_handlers = 6;
    wanted.most_attempts = 7;
    wanted.lease = 8s;
    wanted.dead_letters = DeadLetters::hold;
    wanted.missing_program_after = 14us;
    wanted.keep_ended = 9us;
    wanted.stale_after = 10us;
    wanted.keep_records = 11us;
    wanted.keep_history = 12us;
    wanted.keep_cleared = 13us;
    wanted.keep_conflicts = 15us;
    const EngineOptions set = engine_options(wanted);
    const EngineOptions standard;
    EXPECT_EQ(set.node, "n");
    EXPECT_EQ(set.trace_rounds, "trace");
    EXPECT_EQ(set.writers, 3u);
    EXPECT_EQ(set.queue, 4u);
    EXPECT_TRUE(set.allow_weak_durability);
    // The node has its own workers instead of consumers; no flag sets retry_pause and held.
    const auto& [consumers, receive_wait, handlers, retries, lease, policy, retry_pause, held,
                 missing_program_after] = set.pump;
    EXPECT_EQ(consumers, standard.pump.consumers);
    EXPECT_EQ(receive_wait, 5s);
    EXPECT_EQ(handlers, 6u);
    EXPECT_EQ(retries, 7u);
    EXPECT_EQ(lease, 8s);
    EXPECT_EQ(policy, DeadLetterPolicy::hold);
    EXPECT_EQ(retry_pause, standard.pump.retry_pause);
    EXPECT_EQ(held, standard.pump.most_held);
    EXPECT_EQ(missing_program_after, 14us);
    const auto& [ended, stale, records, history, cleared, conflicts] = set.retention;
    EXPECT_EQ(ended, 9us);
    EXPECT_EQ(stale, 10us);
    EXPECT_EQ(records, 11us);
    EXPECT_EQ(history, 12us);
    EXPECT_EQ(cleared, 13us);
    EXPECT_EQ(conflicts, 15us);
}

INSTANTIATE_TEST_SUITE_P(Stores, NodeOn, holdfast::testing::all_stores(),
                         holdfast::testing::store_name);

}  // namespace
}  // namespace holdfast
