#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "holdfast/testing.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using Types = std::vector<std::string>;

Types types_of(World& world, const std::string& id) {
    Types types;
    for (const HistoryEntry& entry : world.history(id)) types.push_back(entry.type);
    return types;
}

Flow<std::string> pay_or_expire(Context& ctx, std::string order) {
    auto paid = co_await ctx.any(ctx.event<int>("payment"), ctx.sleep(std::chrono::days(30)));
    if (paid.index() == 1) co_return order + " expired";
    const int amount = std::get<0>(paid);
    co_return co_await ctx.step("ship", [&] { return order + " for " + std::to_string(amount); });
}

TEST(World, AFlowRunsToItsEnd) {
    World world;
    world.add("add", [](Context& ctx, int a, int b) -> Flow<int> {
        co_return co_await ctx.step("add", [=] { return a + b; });
    });
    const std::string id = world.start("add", 20, 22);
    EXPECT_EQ(world.result<int>(id), 42);
    EXPECT_EQ(world.status(id), "succeeded");
}

TEST(World, ThirtyDaysTakeNoTime) {
    World world;
    world.add("pay", pay_or_expire);
    const std::string id = world.start("pay", std::string("tea"));
    EXPECT_THROW(world.result<std::string>(id), Misuse);
    world.advance(std::chrono::days(29));
    EXPECT_EQ(world.status(id), "suspended");
    world.advance(std::chrono::days(1));
    EXPECT_EQ(world.result<std::string>(id), "tea expired");
}

TEST(World, AFlowSleepsUntilAMoment) {
    World world;
    world.add("alarm", [](Context& ctx, std::int64_t at) -> Flow<std::int64_t> {
        co_await ctx.sleep_until(Moment(std::chrono::seconds(at)));
        co_return std::chrono::floor<std::chrono::seconds>(ctx.now()).time_since_epoch().count();
    });
    const Moment wanted = world.now() + std::chrono::days(400);
    const auto at = std::chrono::floor<std::chrono::seconds>(wanted).time_since_epoch().count();
    const std::string id = world.start("alarm", at);
    world.advance(std::chrono::days(400) - 1s);
    EXPECT_EQ(world.status(id), "suspended");
    world.advance(1s);
    EXPECT_EQ(world.result<std::int64_t>(id), at);
}

TEST(World, AnEventWakesItsFlow) {
    World world;
    world.add("pay", pay_or_expire);
    const std::string id = world.start("pay", std::string("tea"));
    EXPECT_EQ(world.send(id, "payment", 5), Sent::delivered);
    EXPECT_EQ(world.result<std::string>(id), "tea for 5");
    EXPECT_EQ(world.send(id, "payment", 5), Sent::ended);
}

// 001.22
TEST(World, AnEventIsSentLaterOrCancelled) {
    World world;
    world.add("pay", pay_or_expire);
    const std::string id = world.start("pay", std::string("tea"));
    const std::string never = world.send_later(id, std::chrono::minutes(1), "payment", 4);
    world.send_later(id, world.now() + std::chrono::minutes(2), "payment", 5);
    EXPECT_TRUE(world.cancel_event(never));
    world.advance(std::chrono::seconds(119));
    EXPECT_EQ(world.status(id), "suspended");
    world.advance(std::chrono::seconds(1));
    EXPECT_EQ(world.result<std::string>(id), "tea for 5");
    EXPECT_THROW(world.send_later(id, std::chrono::minutes(1), "payment", 5), Misuse);
    EXPECT_FALSE(world.cancel_event("01890a5d-ac96-774b-bcce-000000000009"));
    EXPECT_THROW(world.cancel_event("never"), Misuse);
}

TEST(World, AFlowWaitsOnWithoutItsTimer) {
    World world;
    world.add("pay", pay_or_expire);
    const std::string id = world.start("pay", std::string("tea"));
    EXPECT_EQ(world.cancel_timers(id), 1u);
    world.advance(std::chrono::days(365));
    EXPECT_EQ(world.status(id), "suspended");
    EXPECT_EQ(world.send(id, "payment", 5), Sent::delivered);
    EXPECT_EQ(world.result<std::string>(id), "tea for 5");
}

TEST(World, AFlowThatWasForgottenReplays) {
    World world;
    int runs = 0;
    world.add("two", [&runs](Context& ctx) -> Flow<int> {
        co_await ctx.step("count", [&runs] { ++runs; });
        co_await ctx.event("go");
        co_return runs;
    });
    const std::string id = world.start("two");
    world.restart();
    world.send(id, "go");
    EXPECT_EQ(world.result<int>(id), 1);
}

TEST(World, RetriesAreTimers) {
    World world;
    int runs = 0;
    world.add("call", [&runs](Context& ctx) -> Flow<int> {
        co_return co_await ctx.step("call", [&runs](const Attempt& attempt) {
            if (++runs < 3) throw std::runtime_error("no line");
            return attempt.number;
        });
    });
    const std::string id = world.start("call");
    EXPECT_EQ(runs, 1);
    world.advance(120ms);
    EXPECT_EQ(runs, 2);
    world.restart();
    world.advance(300ms);
    EXPECT_EQ(runs, 3);
    EXPECT_EQ(world.result<int>(id), 3);
}

TEST(World, AStepThatFailsForGoodFailsTheFlow) {
    World world;
    world.add("call", [](Context& ctx) -> Flow<> {
        co_await ctx.step("call", [] { throw std::runtime_error("no line"); });
    });
    const std::string id = world.start("call");
    world.run();
    try {
        world.result(id);
        FAIL() << "it should have thrown";
    } catch (const WorkflowFailed& failed) {
        EXPECT_EQ(failed.status, "failed");
        EXPECT_EQ(failed.error.at("attempts").as_array().size(), 3);
        EXPECT_EQ(failed.error.at("step"), "call");
    }
}

TEST(World, ChildrenFanOutAndIn) {
    World world;
    world.add("square", [](Context& ctx, int n) -> Flow<int> {
        co_return co_await ctx.step("square", [n] { return n * n; });
    });
    world.add("sum", [](Context& ctx, int count) -> Flow<int> {
        std::vector<Context::Wait<int>> children;
        for (int i = 1; i <= count; ++i) children.push_back(ctx.child<int>("square", i));
        int sum = 0;
        for (const int one : co_await ctx.all(children)) sum += one;
        co_return sum;
    });
    const std::string id = world.start("sum", 300);
    EXPECT_EQ(world.result<int>(id), 300 * 301 * 601 / 6);
}

TEST(World, AChildOfAnUnknownFlowIsMisuse) {
    World world;
    world.add("parent", [](Context& ctx) -> Flow<std::string> {
        try {
            std::vector<Context::Wait<void>> children;
            for (int i = 0; i < 3; ++i) children.push_back(ctx.child("nobody"));
            co_await ctx.all(children);
        } catch (const Misuse& error) {
            co_return error.what();
        }
        co_return "";
    });
    const std::string id = world.start("parent");
    EXPECT_NE(world.result<std::string>(id).find("no flow named 'nobody'"), std::string::npos);
}

TEST(World, ContinueAsBeginsANewRun) {
    World world;
    world.add("poll", [](Context& ctx, int n) -> Flow<int> {
        co_await ctx.sleep(1h);
        if (n < 5) co_await ctx.continue_as(n + 1);
        co_return n;
    });
    const std::string id = world.start("poll", 1);
    world.advance(5h);
    EXPECT_EQ(world.result<int>(id), 5);
}

TEST(World, ACancelledFlowUndoesWhatItDid) {
    World world;
    std::vector<std::string> undone;
    world.add("trip", [&undone](Context& ctx) -> Flow<> {
        co_await ctx.step("flight", [] {}).undo([&undone] { undone.push_back("flight"); });
        co_await ctx.step("hotel", [] {}).undo([&undone] { undone.push_back("hotel"); });
        co_await ctx.event("departure");
    });
    const std::string id = world.start("trip");
    EXPECT_TRUE(world.cancel(id, "ill"));
    EXPECT_EQ(undone, (std::vector<std::string>{"hotel", "flight"}));
    EXPECT_EQ(world.status(id), "cancelled");
    EXPECT_FALSE(world.cancel(id));
    EXPECT_THROW(world.result(id), WorkflowFailed);
}

TEST(World, ACancelledFlowThatWasForgottenUndoesToo) {
    World world;
    std::vector<std::string> undone;
    world.add("trip", [&undone](Context& ctx) -> Flow<> {
        co_await ctx.step("flight", [] {}).undo([&undone] { undone.push_back("flight"); });
        co_await ctx.event("departure");
    });
    const std::string id = world.start("trip");
    world.restart();
    world.cancel(id);
    EXPECT_EQ(undone, (std::vector<std::string>{"flight"}));
    EXPECT_EQ(world.status(id), "cancelled");
}

TEST(World, AFlowWithNothingToUndoEndsAtOnce) {
    World world;
    world.add("wait", [](Context& ctx) -> Flow<> { co_await ctx.event("never"); });
    const std::string id = world.start("wait");
    EXPECT_TRUE(world.cancel(id));
    EXPECT_EQ(world.status(id), "cancelled");
}

TEST(World, StateIsReadAndWritten) {
    World world;
    world.add("state", [](Context& ctx) -> Flow<int> {
        boost::json::object patch;
        patch["step"] = "waiting";
        co_await ctx.set_state(patch);
        co_await ctx.event("go");
        const Json state = co_await ctx.state();
        co_return state.at("n").to_number<int>();
    });
    boost::json::object first;
    first["n"] = 7;
    const std::string id = world.start("state", StartOptions{.state = first});
    EXPECT_EQ(world.state(id).at("step"), "waiting");
    world.send(id, "go");
    EXPECT_EQ(world.result<int>(id), 7);
}

TEST(World, FlowsSendToFlows) {
    World world;
    world.add("ping", [](Context& ctx, std::string other) -> Flow<int> {
        co_await ctx.send(other, "ping", ctx.id());
        co_return co_await ctx.event<int>("pong");
    });
    world.add("pong", [](Context& ctx) -> Flow<> {
        const auto from = co_await ctx.event<std::string>("ping");
        co_await ctx.send(from, "pong", 3);
    });
    const std::string pong = world.start("pong");
    EXPECT_EQ(world.result<int>(world.start("ping", pong)), 3);
}

TEST(World, ABroadcastReachesTheOldestWait) {
    World world;
    world.add("wait", [](Context& ctx) -> Flow<int> { co_return co_await ctx.event<int>("news"); });
    world.add("tell",
              [](Context& ctx) -> Flow<Sent> { co_return co_await ctx.broadcast("news", 2); });
    const std::string first = world.start("wait");
    world.advance(1s);
    const std::string second = world.start("wait");
    EXPECT_EQ(world.broadcast("news", 1), Sent::delivered);
    EXPECT_EQ(world.result<int>(first), 1);
    EXPECT_EQ(world.result<Sent>(world.start("tell")), Sent::delivered);
    EXPECT_EQ(world.result<int>(second), 2);
    EXPECT_EQ(world.result<Sent>(world.start("tell")), Sent::queued);
    EXPECT_EQ(world.result<int>(world.start("wait")), 2);
}

TEST(World, AFlowKnowsThatItReplays) {
    World world;
    std::vector<bool> replaying;
    world.add("wait", [&replaying](Context& ctx) -> Flow<> {
        co_await ctx.step("a", [] {});
        replaying.push_back(ctx.is_replaying());
        co_await ctx.event("go");
        replaying.push_back(ctx.is_replaying());
    });
    const std::string id = world.start("wait");
    world.restart();
    world.send(id, "go");
    world.result(id);
    EXPECT_EQ(replaying, (std::vector<bool>{false, true, false}));
}

TEST(World, FlowsWaitForFlows) {
    World world;
    world.add("slow", [](Context& ctx) -> Flow<int> {
        co_await ctx.sleep(1h);
        co_return 9;
    });
    world.add("wait", [](Context& ctx, std::string id) -> Flow<int> {
        co_return co_await ctx.wait_for<int>(id);
    });
    world.add("spawn",
              [](Context& ctx) -> Flow<std::string> { co_return co_await ctx.spawn("slow"); });
    const std::string spawned = world.result<std::string>(world.start("spawn"));
    const std::string id = world.start("wait", spawned);
    world.advance(1h);
    EXPECT_EQ(world.result<int>(id), 9);
    EXPECT_EQ(world.result<int>(world.start("wait", spawned)), 9);
}

TEST(World, AStartWithAKeyStartsOnce) {
    World world;
    world.add("pay", pay_or_expire);
    const std::string one = world.start("pay", std::string("tea"), StartOptions{.key = "1"});
    EXPECT_EQ(world.start("pay", std::string("tea"), StartOptions{.key = "1"}), one);
    EXPECT_NE(world.start("pay", std::string("tea"), StartOptions{.key = "2"}), one);
    EXPECT_THROW(world.start("pay", std::string("jam"), StartOptions{.key = "1"}), Misuse);
}

TEST(World, MisuseNamesTheFix) {
    World world;
    world.add("pay", pay_or_expire);
    EXPECT_THROW(world.add("pay", pay_or_expire), Misuse);
    EXPECT_THROW(world.start("pay", 5), Misuse);
    EXPECT_THROW(world.start("pay"), Misuse);
    EXPECT_THROW(world.start("nobody"), Misuse);
    EXPECT_THROW(world.add("late", pay_or_expire), Misuse);
    EXPECT_THROW(world.status("nonsense"), Misuse);
    const std::string id = world.start("pay", std::string("tea"));
    world.send(id, "payment", 1);
    EXPECT_THROW(world.result<int>(id), Misuse);
}

TEST(World, PeopleCompleteTasks) {
    World world;
    world.add("leave", [](Context& ctx, int days) -> Flow<bool> {
        TaskRequest request{.name = "approve", .roles = {"boss"}, .outputs = {"approved"}};
        request.payload = days;
        const Json outputs = co_await ctx.human_task(request);
        co_return outputs.at("approved").as_bool();
    });
    const std::string id = world.start("leave", 3);
    const auto tasks = world.open_tasks(id);
    ASSERT_EQ(tasks.size(), 1);
    EXPECT_EQ(tasks[0].payload, 3);
    boost::json::object outputs;
    EXPECT_THROW(world.complete_task(tasks[0].id, {.user = "eve"}, outputs), Misuse);
    const Actor boss{.user = "ann", .roles = {"boss"}};
    EXPECT_THROW(world.complete_task(tasks[0].id, boss, outputs), Misuse);
    outputs["approved"] = true;
    world.complete_task(tasks[0].id, boss, outputs);
    EXPECT_TRUE(world.result<bool>(id));
}

TEST(World, ATaskThatPeopleCannotDoThrows) {
    World world;
    world.add("ask", [](Context& ctx) -> Flow<std::string> {
        const TaskRequest request{.name = "answer"};
        try {
            co_await ctx.human_task(request);
        } catch (const TaskFailed& failed) {
            co_return std::string(failed.error.as_string());
        }
        co_return "";
    });
    const std::string id = world.start("ask");
    world.fail_task(world.open_tasks(id).at(0).id, {.user = "ann"}, "no idea");
    EXPECT_EQ(world.result<std::string>(id), "no idea");
}

TEST(World, AProgramThatDivergedIsFoundAndStopped) {
    World world;
    std::string name = "charge";
    world.add("pay", [&name](Context& ctx) -> Flow<> {
        co_await ctx.step(name, [] {});
        co_await ctx.event("go");
    });
    const std::string id = world.start("pay");
    EXPECT_TRUE(world.check().empty());
    name = "bill";
    world.restart();
    const auto found = world.check();
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].id, id);
    EXPECT_EQ(found[0].index, 1);
    EXPECT_EQ(found[0].expected, "step 'bill'");
    EXPECT_EQ(found[0].found, "'charge'");
    world.send(id, "go");
    EXPECT_EQ(world.status(id), "running");
    EXPECT_EQ(types_of(world, id).back(), "IncidentRaised");
}

// A registered wait is not in the journal yet, but the next program must still match it.
TEST(World, ACheckComparesWhatAFlowWaitsForNow) {
    using Body = std::function<Flow<>(Context&)>;
    const std::vector<Body> bodies = {
        [](Context& ctx) -> Flow<> { co_await ctx.event("paid"); },
        [](Context& ctx) -> Flow<> { co_await ctx.event("refunded"); },
        [](Context& ctx) -> Flow<> { co_await ctx.any(ctx.event("paid"), ctx.sleep(1h)); },
        [](Context& ctx) -> Flow<> { co_await ctx.sleep(1h); },
        [](Context& ctx) -> Flow<> { co_await ctx.child("other"); },
        [](Context& ctx) -> Flow<> {
            const TaskRequest request{.name = "approve"};
            co_await ctx.human_task(request);
        },
        [](Context& ctx) -> Flow<> {
            co_await ctx.step("charge", []() -> int { throw std::runtime_error("busy"); },
                              {.retry = {.pause = 1h}});
        },
        [](Context&) -> Flow<> { co_return; }};
    // A pause before a retry is not a wait, so any other program matches.
    constexpr std::size_t pausing = 6;
    for (std::size_t before = 0; before + 1 < bodies.size(); ++before) {
        for (std::size_t after = 0; after < bodies.size(); ++after) {
            World world;
            std::size_t version = before;
            world.add("pay", [&](Context& ctx) { return bodies[version](ctx); });
            world.add("other", [](Context& ctx) -> Flow<> { co_await ctx.event("never"); });
            world.start("pay");
            version = after;
            EXPECT_EQ(world.check().empty(), before == after || before == pausing)
                << before << " " << after;
        }
    }
}

TEST(World, ACheckSaysWhatAFlowWaitsForNow) {
    World world;
    std::string name = "paid";
    world.add("pay", [&name](Context& ctx) -> Flow<> {
        co_await ctx.step("charge", [] {});
        co_await ctx.any(ctx.event(name), ctx.sleep(1h));
    });
    const std::string id = world.start("pay");
    name = "refunded";
    const auto found = world.check();
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].id, id);
    EXPECT_EQ(found[0].index, 2);
    EXPECT_EQ(found[0].expected, "event 'refunded' or sleep");
    EXPECT_EQ(found[0].found, "event 'paid' or sleep");
}

}  // namespace
}  // namespace holdfast::testing
