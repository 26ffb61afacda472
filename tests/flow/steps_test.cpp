#include <boost/describe.hpp>

#include "flow/bench.h"

namespace holdfast::flow {
namespace {

using Notes = std::vector<std::string>;
using namespace std::chrono_literals;

struct Order {
    std::string id;
    int total = 0;
};
BOOST_DESCRIBE_STRUCT(Order, (), (id, total))

Flow<int> add_up(Context& ctx, int a, int b) {
    const int doubled = co_await ctx.step("double", [&] { return a * 2; });
    const std::string text =
        co_await ctx.step("print", [&] { return std::to_string(doubled + b) + "!"; });
    co_return static_cast<int>(text.size()) + doubled;
}

TEST(Steps, AreRunThenRecordedThenTheFlowFinishes) {
    Bench demo(code_of("add_up", add_up), "[20,2]");
    EXPECT_EQ(demo.notes, (Notes{"run 1 1", "record 1 double=40", "run 2 1",
                                 R"(record 2 print="42!")", "finish 3 43"}));
}

TEST(Steps, ARecordedStepIsNotRunAgain) {
    Bench demo(code_of("add_up", add_up), "[20,2]");
    demo.journal.resize(2);
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{"run 2 1", R"(record 2 print="42!")", "finish 3 43"}));
}

TEST(Steps, AReplayFromAnyPlaceGivesTheSameRest) {
    Bench whole(code_of("add_up", add_up), "[20,2]");
    for (std::size_t length = 1; length <= whole.journal.size(); ++length) {
        for (int again = 0; again < 2; ++again) {
            Bench demo(code_of("add_up", add_up), "[20,2]");
            demo.journal.assign(whole.journal.begin(), whole.journal.begin() + length);
            demo.notes.clear();
            demo.restart();
            const Notes rest(whole.notes.begin() + 2 * (length - 1), whole.notes.end());
            EXPECT_EQ(demo.notes, rest) << length;
        }
    }
}

// A bench whose records wait for accept(), and whose steps have an end time.
Bench assuming() {
    Bench demo(code_of("add_up", add_up), "[20,2]");
    demo.journal.resize(1);
    demo.notes.clear();
    demo.hold_records = true;
    demo.ends_at = Moment(std::chrono::seconds(2'000));
    demo.restart();
    return demo;
}

TEST(Steps, TheEndOfAFlowFollowsItsLastStepAtOnceAndAStepDoesNot) {
    Bench demo = assuming();
    EXPECT_EQ(demo.notes, (Notes{"run 1 1", "record 1 double=40"}));
    demo.accept();
    EXPECT_EQ(demo.notes, (Notes{"run 1 1", "record 1 double=40", "run 2 1",
                                 R"(record 2 print="42!")", "finish 3 43"}));
    ASSERT_TRUE(demo.execution().assumed());
    EXPECT_EQ(demo.execution().assumed()->run.index, 2u);
    demo.accept();
    EXPECT_FALSE(demo.execution().assumed());
    EXPECT_FALSE(demo.execution().has_failed_assumption());
    EXPECT_EQ(demo.notes.size(), 5u);
}

TEST(Steps, WhatWasAssumedIsSubmittedAgainWithWhatFollows) {
    Bench demo = assuming();
    demo.accept();
    demo.notes.clear();
    demo.wake();
    EXPECT_EQ(demo.notes, (Notes{R"(record 2 print="42!")", "finish 3 43"}));
}

TEST(Steps, AFlowWithAWrongAssumptionIsDiscarded) {
    Bench other_time = assuming();
    other_time.execution().confirm(1, Moment(std::chrono::seconds(2'001)));
    EXPECT_TRUE(other_time.execution().has_failed_assumption());
    EXPECT_TRUE(other_time.execution().advance().empty());

    Bench cancelled = assuming();
    cancelled.put({.index = 1, .name = "$cancelled", .value = Document::of(nullptr)});
    cancelled.execution().feed(cancelled.journal.back());
    EXPECT_TRUE(cancelled.execution().has_failed_assumption());
    cancelled.notes.clear();
    cancelled.restart();
    EXPECT_EQ(cancelled.last(), "cancelled 2 cancelled");
}

TEST(Steps, WhatAFlowSeesOfTheTimeIsTheSameWhenItReplays) {
    const auto clocked = [](Context& ctx) -> Flow<std::int64_t> {
        co_await ctx.step("work", [] { return 1; });
        const Moment then = ctx.now();
        co_await ctx.event<int>("go");
        co_return then.time_since_epoch().count();
    };
    Bench demo(code_of("clocked", clocked));
    demo.journal.resize(1);
    demo.hold_records = true;
    demo.ends_at = Moment(std::chrono::seconds(2'000));
    demo.restart();
    demo.accept();
    demo.restart();
    demo.event("go", "1");
    EXPECT_EQ(demo.ended, "2000000000");
}

TEST(Steps, TakeStructsAndGiveStructs) {
    auto demo = bench(
        [](Context& ctx, Order order) -> Flow<Order> {
            co_return co_await ctx.step(
                "dear", [&] { return Order{.id = order.id + "x", .total = order.total + 1}; });
        },
        R"([{"id":"a","total":4}])");
    EXPECT_EQ(demo.last(), R"(finish 2 {"id":"ax","total":5})");
}

TEST(Steps, MayTakeTheirAttemptAndInputs) {
    auto demo = bench([](Context& ctx) -> Flow<int> {
        const auto count = [](const Attempt& attempt, int a, int b) {
            return attempt.number * 100 + a * 10 + b;
        };
        co_return co_await ctx.step("count", count, {}, 4, 2);
    });
    EXPECT_EQ(demo.last(), "finish 2 142");
    EXPECT_EQ(demo.keys, (Notes{to_string(InstanceId{}) + "/1/1"}));
}

Flow<std::string> fragile(Context& ctx, int failures) {
    int left = failures;
    try {
        co_await ctx.step("call", [&] {
            if (left-- > 0) throw std::runtime_error("no line");
        });
        co_return "done";
    } catch (const StepFailed& error) {
        co_return error.what() + std::string(" after ") + std::to_string(error.attempts.size());
    }
}

TEST(Retries, AFailedAttemptIsPutOffAndTriedAgain) {
    Bench demo(code_of("fragile", fragile), "[1]");
    EXPECT_EQ(demo.last(), R"(put off 1 {"message":"no line","type":"std::runtime_error"})");
    EXPECT_GE(demo.paused, 90ms);
    EXPECT_LE(demo.paused, 110ms);
    demo.wake();
    EXPECT_EQ(demo.notes,
              (Notes{"run 1 1", R"(put off 1 {"message":"no line","type":"std::runtime_error"})",
                     "run 1 2", "record 1 call=null", R"(finish 2 "done")"}));
    EXPECT_EQ(demo.keys[0], demo.keys[1]);
}

TEST(Retries, AnExhaustedStepIsRecordedWithAllItsAttempts) {
    Bench demo(code_of("fragile", fragile), "[5]");
    demo.wake();
    demo.wake();
    EXPECT_EQ(demo.last(), R"(finish 2 "step 'call' failed: no line after 3")");
    const Json error = demo.journal[1].step.value.value();
    EXPECT_EQ(error.at("attempts").as_array().size(), 3);
    EXPECT_EQ(error.at("type"), "std::runtime_error");
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{R"(finish 2 "step 'call' failed: no line after 3")"}));
}

TEST(Retries, AttemptsBeforeARestartCount) {
    Bench demo(code_of("fragile", fragile), "[2]");
    demo.wake();
    demo.restart();
    EXPECT_EQ(
        demo.notes[demo.notes.size() - 2],
        R"(record error 1 call={"attempts":[{"message":"no line","type":"std::runtime_error"},)"
        R"({"message":"no line","type":"std::runtime_error"},)"
        R"({"message":"no line","type":"std::runtime_error"}],)"
        R"("message":"no line","retryable":true,"type":"std::runtime_error"})");
}

TEST(Retries, SomeErrorsAreNotWorthAnotherTry) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        co_await ctx.step("pay", [] { throw NonRetryable("card stolen"); });
    });
    EXPECT_EQ(demo.last(), "fail 2 step_failed");
    auto other = bench([](Context& ctx) -> Flow<> {
        co_await ctx.step("pay", [] { throw std::invalid_argument("no such card"); },
                          {.non_retryable = never_retry<std::invalid_argument>});
    });
    EXPECT_EQ(other.notes.size(), 3);
    EXPECT_EQ(other.last(), "fail 2 step_failed");
}

TEST(Retries, PausesGrowUpToTheirLimit) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        co_await ctx.step(
            "call", [] { throw std::runtime_error("no"); },
            {.retry = {.attempts = 5, .pause = 1s, .factor = 10, .longest = 50s, .jitter = 0}});
    });
    EXPECT_EQ(demo.paused, 1s);
    demo.wake();
    EXPECT_EQ(demo.paused, 10s);
    demo.wake();
    EXPECT_EQ(demo.paused, 50s);
}

TEST(Crashes, AStepThatKillsItsProcessFailsAfterItsLimit) {
    Bench demo(code_of("fragile", fragile), "[0]");
    demo.journal.resize(1);
    demo.notes.clear();
    demo.restart(2);
    EXPECT_EQ(demo.notes.front(), "run 1 3");
    demo.journal.resize(1);
    demo.notes.clear();
    demo.restart(3);
    EXPECT_EQ(
        demo.last(),
        R"(finish 2 "step 'call' failed: the process died 3 times while the step ran after 1")");
}

TEST(Flows, AnErrorThatLeavesTheFlowEndsIt) {
    auto demo = bench([](Context&) -> Flow<> {
        throw std::runtime_error("oh");
        co_return;
    });
    EXPECT_EQ(demo.last(), "fail 1 error");
    EXPECT_EQ(demo.result().at("message"), "oh");
}

TEST(Flows, MayAwaitFlows) {
    struct Inner {
        static Flow<int> twice(Context& ctx, int n) {
            co_return co_await ctx.step("twice", [n] { return 2 * n; });
        }
        static Flow<> fail(Context&) {
            throw std::runtime_error("inner");
            co_return;
        }
    };
    auto demo = bench([](Context& ctx) -> Flow<int> {
        int sum = 0;
        for (int i = 1; i <= 3; ++i) sum += co_await Inner::twice(ctx, i);
        try {
            co_await Inner::fail(ctx);
        } catch (const std::runtime_error&) {
            sum += 100;
        }
        co_return sum;
    });
    EXPECT_EQ(demo.last(), "finish 4 112");
    demo.journal.resize(3);
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.last(), "finish 4 112");
    EXPECT_EQ(demo.notes.size(), 3);
}

TEST(Flows, ADeepChainOfInnerFlowsDoesNotGrowTheStack) {
    struct Inner {
        static Flow<int> one(Context&) { co_return 1; }
    };
    auto demo = bench([](Context& ctx) -> Flow<int> {
        int sum = 0;
        for (int i = 0; i < 200'000; ++i) sum += co_await Inner::one(ctx);
        co_return sum;
    });
    EXPECT_EQ(demo.last(), "finish 1 200000");
}

TEST(Flows, RandomNumbersAndTimeAreTheSameOnReplay) {
    struct Seen {
        std::vector<std::uint64_t> numbers;
        std::vector<Moment> times;
    };
    Seen seen;
    auto demo = bench([&seen](Context& ctx) -> Flow<> {
        for (int i = 0; i < 3; ++i) {
            seen.numbers.push_back(ctx.random());
            seen.times.push_back(ctx.now());
            co_await ctx.step("s", [] {});
        }
    });
    const Seen first = std::exchange(seen, {});
    demo.restart();
    EXPECT_EQ(seen.numbers, first.numbers);
    EXPECT_EQ(seen.times, first.times);
    EXPECT_NE(first.numbers[0], first.numbers[1]);
    EXPECT_LT(first.times[0], first.times[1]);
}

TEST(Flows, LogOnce) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        ctx.log("one");
        co_await ctx.step("s", [] {});
        ctx.log("two");
    });
    EXPECT_EQ(demo.logged, (Notes{"one", "two"}));
    demo.restart();
    EXPECT_EQ(demo.logged, (Notes{"one", "two", "two"}));
}

TEST(Flows, RunLambdasWithCapturesAsOftenAsNeeded) {
    const std::string greeting = "a greeting that is too long for the small string buffer";
    auto demo = bench([greeting](Context& ctx) -> Flow<std::string> {
        co_return co_await ctx.step("greet", [&] { return greeting; });
    });
    EXPECT_EQ(demo.last(), "finish 2 \"" + greeting + "\"");
}

}  // namespace
}  // namespace holdfast::flow
