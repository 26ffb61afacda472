#include "flow/bench.h"

namespace holdfast::flow {
namespace {

using Notes = std::vector<std::string>;
using namespace std::chrono_literals;

Flow<std::string> wait_for_payment(Context& ctx) {
    auto paid = co_await ctx.any(ctx.event<int>("payment"), ctx.sleep(900s));
    if (paid.index() == 1) co_return "expired";
    co_return "paid " + std::to_string(std::get<0>(paid));
}

TEST(Waits, AnEventGivesItsValue) {
    auto demo = bench([](Context& ctx) -> Flow<int> { co_return co_await ctx.event<int>("go"); });
    EXPECT_EQ(demo.notes, (Notes{"suspend 1 go "}));
    demo.event("go", "7");
    EXPECT_EQ(demo.last(), "finish 2 7");
    demo.restart();
    EXPECT_EQ(demo.last(), "finish 2 7");
}

TEST(Waits, ASleepIsCountedByTheStore) {
    auto demo = bench([](Context& ctx) -> Flow<> { co_await ctx.sleep(30s); });
    EXPECT_EQ(demo.notes, (Notes{"suspend 1 after 30s"}));
    demo.timer();
    EXPECT_EQ(demo.last(), "finish 2 null");
}

TEST(Waits, OneMayWaitUntilAMoment) {
    auto demo = bench([](Context& ctx) -> Flow<> { co_await ctx.sleep_until(Moment(5000s)); });
    EXPECT_EQ(demo.notes, (Notes{"suspend 1 until 5000"}));
}

TEST(Any, SaysWhichOneWon) {
    Bench demo(code_of("pay", wait_for_payment));
    EXPECT_EQ(demo.notes, (Notes{"suspend 1 payment after 900s"}));
    demo.event("payment", "12");
    EXPECT_EQ(demo.last(), R"(finish 2 "paid 12")");
    demo.restart();
    EXPECT_EQ(demo.last(), R"(finish 2 "paid 12")");

    Bench late(code_of("pay", wait_for_payment));
    late.timer();
    EXPECT_EQ(late.last(), R"(finish 2 "expired")");
    late.restart();
    EXPECT_EQ(late.last(), R"(finish 2 "expired")");
}

TEST(Any, OfSeveralSleepsTheEarliestWins) {
    auto demo = bench([](Context& ctx) -> Flow<std::size_t> {
        auto won = co_await ctx.any(ctx.sleep(60s), ctx.event("never"), ctx.sleep(20s));
        co_return won.index();
    });
    EXPECT_EQ(demo.notes, (Notes{"suspend 1 never until 1020"}));
    demo.timer();
    EXPECT_EQ(demo.last(), "finish 2 2");
}

TEST(Any, AChildThatLostMayBeAwaitedAgain) {
    auto demo = bench([](Context& ctx) -> Flow<int> {
        auto child = ctx.child<int>("slow", 1);
        auto first = co_await ctx.any(child, ctx.sleep(5s));
        if (first.index() == 0) co_return -1;
        co_return co_await child;
    });
    const std::string id = Bench::child_id(0);
    EXPECT_EQ(demo.notes, (Notes{"child 1 slow[1]", "suspend 2 " + id + " until 1005"}));
    demo.timer();
    EXPECT_EQ(demo.last(), "suspend 3 " + id + " ");
    demo.completed(id, "9");
    EXPECT_EQ(demo.last(), "finish 4 9");
    demo.restart();
    EXPECT_EQ(demo.last(), "finish 4 9");
}

TEST(Any, TakesAListOfWaits) {
    auto demo = bench([](Context& ctx) -> Flow<std::string> {
        std::vector<Context::Wait<std::string>> votes;
        for (const char* name : {"ann", "bob", "eve"})
            votes.push_back(ctx.event<std::string>(name));
        const auto first = co_await ctx.any(votes);
        co_return std::to_string(first.index) + first.value;
    });
    demo.event("bob", R"("yes")");
    EXPECT_EQ(demo.last(), R"(finish 2 "1yes")");
}

TEST(Any, OfNothingIsRefused) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        std::vector<Context::Wait<void>> none;
        co_await ctx.any(none);
    });
    EXPECT_EQ(demo.last(), "fail 1 misuse");
}

TEST(Any, ALoopOfRacesKeepsNothing) {
    auto demo = bench([](Context& ctx) -> Flow<int> {
        int ticks = 0;
        while (ticks < 50) {
            auto won = co_await ctx.any(ctx.event("stop"), ctx.sleep(1s));
            if (won.index() == 0) break;
            ++ticks;
        }
        co_return ticks;
    });
    for (int i = 0; i < 20; ++i) demo.timer();
    demo.event("stop");
    EXPECT_EQ(demo.last(), "finish 22 20");
}

TEST(All, RunsStepsSideBySideAndRecordsThemInOrder) {
    auto demo = bench([](Context& ctx) -> Flow<std::string> {
        auto [a, b, c] = co_await ctx.all(ctx.step("a", [] { return 1; }),
                                          ctx.step("b", [] { return std::string("two"); }),
                                          ctx.step("c", [] {}));
        (void)c;
        co_return std::to_string(a) + b;
    });
    EXPECT_EQ(demo.notes, (Notes{"run 1 1", "run 2 1", "run 3 1", "record 1 a=1",
                                 R"(record 2 b="two")", "record 3 c=null", R"(finish 4 "1two")"}));
}

Flow<int> three(Context& ctx) {
    std::vector<Context::Step<int>> steps;
    for (int i = 1; i <= 3; ++i)
        steps.push_back(ctx.step("part " + std::to_string(i), [i] { return i; }));
    const std::vector<int> parts = co_await ctx.all(steps);
    co_return parts[0] * 100 + parts[1] * 10 + parts[2];
}

TEST(All, AStepThatEndsEarlyIsHeldUntilItsTurn) {
    Bench demo(code_of("none", three));
    demo.journal.resize(1);
    demo.notes.clear();
    demo.hold_steps = true;
    demo.restart();
    demo.release(3);
    demo.release(1);
    EXPECT_EQ(demo.last(), "record 1 part 1=1");
    demo.release(2);
    EXPECT_EQ(demo.notes, (Notes{"run 1 1", "run 2 1", "run 3 1", "record 1 part 1=1",
                                 "record 2 part 2=2", "record 3 part 3=3", "finish 4 123"}));
}

TEST(All, AReplayInTheMiddleRunsOnlyWhatIsMissing) {
    Bench demo(code_of("three", three));
    demo.journal.resize(3);
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{"run 3 1", "record 3 part 3=3", "finish 4 123"}));
}

TEST(All, AFailedStepDoesNotStopTheOthers) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        co_await ctx.all(ctx.step("bad", [] { throw NonRetryable("no"); }),
                         ctx.step("good", [] { return 1; }));
    });
    EXPECT_EQ(demo.notes[2].substr(0, 18), "record error 1 bad");
    EXPECT_EQ(demo.notes[3], "record 2 good=1");
    EXPECT_EQ(demo.last(), "fail 3 step_failed");
}

TEST(All, ARetryOfOneKeepsTheResultsOfTheOthers) {
    int failures = 1;
    int runs = 0;
    auto demo = bench([&](Context& ctx) -> Flow<int> {
        auto [a, b] = co_await ctx.all(ctx.step("a",
                                                [&] {
                                                    if (failures-- > 0)
                                                        throw std::runtime_error("x");
                                                    return 1;
                                                }),
                                       ctx.step("b", [&] { return ++runs; }));
        co_return a + b;
    });
    EXPECT_EQ(demo.last().substr(0, 9), "put off 1");
    demo.wake();
    EXPECT_EQ(demo.last(), "finish 3 2");
    EXPECT_EQ(runs, 1);
}

TEST(All, StartsChildrenTogetherAndWaitsForThemInOrder) {
    auto demo = bench([](Context& ctx) -> Flow<int> {
        std::vector<Context::Wait<int>> children;
        for (int i = 0; i < 3; ++i) children.push_back(ctx.child<int>("part", i));
        int sum = 0;
        for (const int one : co_await ctx.all(children)) sum += one;
        co_return sum;
    });
    EXPECT_EQ(demo.notes, (Notes{"child 1 part[0]", "child 2 part[1]", "child 3 part[2]",
                                 "suspend 4 " + Bench::child_id(0) + " "}));
    for (int i = 0; i < 3; ++i) demo.completed(Bench::child_id(i), std::to_string(10 + i));
    EXPECT_EQ(demo.last(), "finish 7 33");
    demo.restart();
    EXPECT_EQ(demo.last(), "finish 7 33");
}

TEST(All, OfNothingCompletesAtOnce) {
    auto demo = bench([](Context& ctx) -> Flow<std::size_t> {
        std::vector<Context::Step<int>> none;
        co_return (co_await ctx.all(none)).size();
    });
    EXPECT_EQ(demo.last(), "finish 1 0");
}

TEST(Children, AFailedChildThrowsWithItsError) {
    auto demo = bench([](Context& ctx) -> Flow<std::string> {
        try {
            co_await ctx.child("part");
        } catch (const WorkflowFailed& error) {
            co_return error.status + ": " + std::string(error.error.at("message").as_string());
        }
        co_return "fine";
    });
    demo.completed(Bench::child_id(0), R"({"message":"broken"})", "failed");
    EXPECT_EQ(demo.last(), R"(finish 3 "failed: broken")");
}

TEST(Children, OneThatCannotBeStartedThrows) {
    auto demo = bench([](Context& ctx) -> Flow<std::string> {
        try {
            std::vector<Context::Wait<void>> children;
            for (int i = 0; i < 3; ++i) children.push_back(ctx.child("nobody"));
            co_await ctx.all(children);
        } catch (const Misuse& error) {
            co_return error.what();
        }
        co_return "";
    });
    EXPECT_EQ(demo.last(), R"(finish 4 "flow 'demo', child 'nobody': there is no such flow")");
}

TEST(Children, ARaceWithOneThatCannotBeStartedIsOver) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        co_await ctx.any(ctx.event("go"), ctx.child("nobody"), ctx.sleep(1s));
    });
    EXPECT_EQ(demo.last(), "fail 2 misuse");
    demo.restart();
    EXPECT_EQ(demo.last(), "fail 2 misuse");
}

TEST(Children, ThoseThatCanBeStartedAreStillWaitedFor) {
    auto demo = bench(
        [](Context& ctx) -> Flow<> { co_await ctx.all(ctx.child("nobody"), ctx.child("part")); });
    EXPECT_EQ(demo.last(), "suspend 3 " + Bench::child_id(0) + " ");
    demo.completed(Bench::child_id(0));
    EXPECT_EQ(demo.last(), "fail 4 misuse");
    demo.restart();
    EXPECT_EQ(demo.last(), "fail 4 misuse");
}

TEST(Children, ASpawnedOneGivesItsId) {
    auto demo =
        bench([](Context& ctx) -> Flow<std::string> { co_return co_await ctx.spawn("report", 5); });
    EXPECT_EQ(demo.last(), "finish 2 \"" + Bench::child_id(0) + "\"");
}

TEST(Children, AnInvalidIdCannotBeWaitedFor) {
    auto demo = bench([](Context& ctx) -> Flow<> { co_await ctx.wait_for("nonsense"); });
    EXPECT_EQ(demo.last(), "fail 2 misuse");
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{"fail 2 misuse"}));
}

TEST(Effects, AreRecordedLikeSteps) {
    auto demo = bench([](Context& ctx) -> Flow<std::string> {
        const Sent sent = co_await ctx.send("abc", "hello", 5);
        const boost::json::object patch{{"step", "sent"}};
        co_await ctx.set_state(patch);
        const Json state = co_await ctx.state();
        co_return std::string(sent == Sent::delivered ? "ok" : "no") +
            std::to_string(state.at("n").as_int64());
    });
    EXPECT_EQ(demo.notes, (Notes{"send 1 hello", R"(record 1 send hello="delivered")",
                                 R"(set 2 {"step":"sent"})", "read 3", R"(record 3 state={"n":7})",
                                 R"(finish 4 "ok7")"}));
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{R"(finish 4 "ok7")"}));
}

TEST(Tasks, ReturnTheirOutputs) {
    auto demo = bench([](Context& ctx) -> Flow<bool> {
        const TaskRequest request{.name = "approve", .roles = {"boss"}};
        const Json outputs = co_await ctx.human_task(request);
        co_return outputs.at("approved").as_bool();
    });
    EXPECT_EQ(demo.notes, (Notes{"task 1 approve", "suspend 2 task/t1 "}));
    demo.event("task/t1", R"({"outcome":"completed","outputs":{"approved":true}})");
    EXPECT_EQ(demo.last(), "finish 3 true");
}

TEST(ContinueAs, EndsTheRun) {
    auto demo = bench(
        [](Context& ctx, int n) -> Flow<int> {
            if (n == 3) co_return n;
            co_return co_await ctx.continue_as(n + 1);
        },
        "[2]");
    EXPECT_EQ(demo.notes, (Notes{"continue 1 [3]"}));
}

TEST(ContinueAs, ChecksItsArguments) {
    auto demo = bench(
        [](Context& ctx, int) -> Flow<> { co_await ctx.continue_as(std::string("three")); }, "[2]");
    EXPECT_EQ(demo.last(), "fail 1 misuse");
    EXPECT_NE(demo.ended.find("argument 1"), std::string::npos) << demo.ended;
}

}  // namespace
}  // namespace holdfast::flow
