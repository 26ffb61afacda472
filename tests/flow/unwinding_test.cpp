#include "flow/bench.h"

namespace holdfast::flow {
namespace {

using Notes = std::vector<std::string>;
using namespace std::chrono_literals;

Flow<> saga(Context& ctx, std::string how) {
    co_await ctx.step("flight", [] { return 1; }).undo([] {});
    co_await ctx.on_rollback("hotel", [] {});
    co_await ctx.step("hotel", [] {});
    if (how == "fails") co_await ctx.step("car", [] { throw NonRetryable("none left"); });
    co_await ctx.sleep(60s);
}

TEST(Saga, AFailureUndoesWhatWasDoneInReverseOrder) {
    Bench demo(code_of("saga", saga), R"(["fails"])");
    const Notes tail(demo.notes.begin() + 4, demo.notes.end());
    EXPECT_EQ(demo.notes[1], "record! 1 flight=1");
    EXPECT_EQ(tail, (Notes{"run 3 1",
                           R"(record error 3 car={"attempts":[{"message":"none left","type":)"
                           R"("holdfast::NonRetryable"}],"message":"none left","retryable":false,)"
                           R"("type":"holdfast::NonRetryable"})",
                           "run 4 1", "record 4 undo hotel=null", "run 5 1",
                           "record 5 undo flight=null", "fail 6 step_failed"}));
}

TEST(Saga, AReplayGoesOnUndoingWhereItWas) {
    Bench whole(code_of("saga", saga), R"(["fails"])");
    Bench demo(code_of("saga", saga), R"(["fails"])");
    demo.journal.assign(whole.journal.begin(), whole.journal.begin() + 5);
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{"run 5 1", "record 5 undo flight=null", "fail 6 step_failed"}));
}

TEST(Saga, AnUndoIsRetriedLikeItsStep) {
    int failures = 4;
    auto demo = bench([&failures](Context& ctx) -> Flow<> {
        const StepOptions patient{.retry = {.attempts = 5}};
        const auto undo = [&failures] {
            if (failures-- > 0) throw std::runtime_error("not yet");
        };
        co_await ctx.step("a", [] {}, patient).undo(undo);
        throw std::runtime_error("no");
    });
    for (int i = 0; i < 4; ++i) demo.wake();
    EXPECT_EQ(demo.notes[demo.notes.size() - 2], "record 2 undo a=null");
    EXPECT_EQ(demo.last(), "fail 3 error");
}

TEST(Saga, AnUndoThatFailsDoesNotKeepTheOthersFromRunning) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        co_await ctx.step("a", [] {}).undo([] {});
        co_await ctx.step("b", [] {}).undo([] { throw NonRetryable("stuck"); });
        throw std::runtime_error("no");
    });
    EXPECT_EQ(demo.last(), "fail 5 error");
    EXPECT_EQ(demo.result().at("undoFailures").at(0).at("message"), "stuck");
    EXPECT_EQ(demo.notes[demo.notes.size() - 2], "record 4 undo a=null");
}

TEST(Cancel, UnwindsTheFlowAndUndoes) {
    Bench demo(code_of("saga", saga), R"(["sleeps"])");
    EXPECT_EQ(demo.last(), "suspend 3 after 60s");
    demo.cancel();
    EXPECT_EQ(Notes(demo.notes.end() - 5, demo.notes.end()),
              (Notes{"run 4 1", "record 4 undo hotel=null", "run 5 1", "record 5 undo flight=null",
                     "cancelled 6 cancelled"}));
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{"cancelled 6 cancelled"}));
}

TEST(Cancel, ThrowsInTheFlowSoThatItsLocalsGo) {
    struct Guard {
        int& gone;
        ~Guard() { ++gone; }
    };
    int gone = 0;
    auto demo = bench([&gone](Context& ctx) -> Flow<> {
        co_await ctx.on_rollback("x", [] {});
        const Guard guard{gone};
        co_await ctx.event("never");
    });
    demo.cancel();
    EXPECT_EQ(gone, 1);
    EXPECT_EQ(demo.last(), "cancelled 4 cancelled");
}

TEST(Cancel, AFlowThatCatchesItEndsAsCancelledAllTheSame) {
    auto demo = bench([](Context& ctx) -> Flow<int> {
        co_await ctx.on_rollback("x", [] {});
        bool stopped = false;
        try {
            co_await ctx.event("never");
        } catch (const Cancelled&) {
            stopped = true;
        }
        if (stopped) co_await ctx.step("tidy up", [] {});
        co_return 1;
    });
    demo.cancel();
    EXPECT_EQ(Notes(demo.notes.end() - 5, demo.notes.end()),
              (Notes{"run 3 1", "record 3 tidy up=null", "run 4 1", "record 4 undo x=null",
                     "cancelled 5 cancelled"}));
    demo.restart();
    EXPECT_EQ(demo.last(), "cancelled 5 cancelled");
}

TEST(Cancel, WhileItUndoesMovesTheUndoOn) {
    Bench demo(code_of("saga", saga), R"(["fails"])");
    demo.journal.resize(4);
    demo.hold_steps = true;
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{"run 4 1"}));
    demo.put({.index = 4, .name = "$cancelled", .value = Document::of(nullptr)});
    demo.release(4);
    EXPECT_EQ(Notes(demo.notes.begin() + 1, demo.notes.end()),
              (Notes{"record 4 undo hotel=null", "record 5 undo hotel=null", "run 6 1"}));
    demo.hold_steps = false;
    demo.restart();
    EXPECT_EQ(demo.last(), "cancelled 7 cancelled");
}

TEST(Cancel, AtTheEndOfTheFlowUndoesToo) {
    auto demo = bench([](Context& ctx) -> Flow<int> {
        co_await ctx.step("a", [] {}).undo([] {});
        co_return 1;
    });
    EXPECT_EQ(demo.last(), "finish 2 1");
    demo.cancel();
    EXPECT_EQ(demo.last(), "cancelled 4 cancelled");
    demo.restart();
    EXPECT_EQ(demo.last(), "cancelled 4 cancelled");
}

TEST(Cancel, AmongParallelStepsKeepsWhatWasRecordedBehindIt) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        co_await ctx.on_rollback("x", [] {});
        co_await ctx.all(ctx.step("a", [] {}), ctx.step("b", [] {}).undo([] {}),
                         ctx.step("c", [] {}));
    });
    // The cancellation took the index of "a"; "b" was still recorded after it, "c" was not.
    const std::vector<JournalEntry> whole = demo.journal;
    demo.journal = {whole[0], whole[1]};
    demo.put({.index = 2, .name = "$cancelled", .value = Document::of(nullptr)});
    demo.journal.push_back(whole[3]);
    demo.notes.clear();
    demo.restart();
    EXPECT_EQ(demo.notes, (Notes{"run 4 1", "record 4 undo b=null", "run 5 1",
                                 "record 5 undo x=null", "cancelled 6 cancelled"}));
}

TEST(Divergence, AnotherStepThanInTheJournalStopsTheFlow) {
    auto before = bench([](Context& ctx) -> Flow<> { co_await ctx.step("charge", [] {}); });
    auto after = bench([](Context& ctx) -> Flow<> { co_await ctx.step("bill", [] {}); });
    after.journal = before.journal;
    after.notes.clear();
    after.restart();
    EXPECT_EQ(after.notes, (Notes{"diverged 1 step 'bill' / 'charge'"}));
    EXPECT_TRUE(after.execution().advance().empty());
}

TEST(Divergence, OtherInputsAreFound) {
    const auto flow = [](int amount) {
        return [amount](Context& ctx) -> Flow<> {
            co_await ctx.step("charge", [](int) {}, {}, amount);
        };
    };
    auto before = bench(flow(1));
    auto after = bench(flow(2));
    after.journal = before.journal;
    after.notes.clear();
    after.restart();
    EXPECT_EQ(after.notes, (Notes{"diverged 1 step 'charge' with another input / 'charge'"}));
}

TEST(Divergence, AWaitInPlaceOfAStepIsFound) {
    auto before = bench([](Context& ctx) -> Flow<> { co_await ctx.event("pay"); });
    before.event("pay");
    auto after = bench([](Context& ctx) -> Flow<> { co_await ctx.step("pay", [] {}); });
    after.journal = before.journal;
    after.notes.clear();
    after.restart();
    EXPECT_EQ(after.notes, (Notes{"diverged 1 step 'pay' / event 'pay'"}));

    auto other =
        bench([](Context& ctx) -> Flow<> { co_await ctx.any(ctx.event("refund"), ctx.sleep(1s)); });
    other.journal = before.journal;
    other.notes.clear();
    other.restart();
    EXPECT_EQ(other.notes, (Notes{"diverged 1 event 'refund' or sleep / event 'pay'"}));
}

TEST(Divergence, AJournalThatGoesOnAfterTheEndIsFound) {
    auto before = bench([](Context& ctx) -> Flow<> { co_await ctx.step("a", [] {}); });
    auto after = bench([](Context&) -> Flow<> { co_return; });
    after.journal = before.journal;
    after.notes.clear();
    after.restart();
    EXPECT_EQ(after.notes, (Notes{"diverged 1 the end of the flow / 'a'"}));
}

TEST(Divergence, CannotBeCaughtByTheFlow) {
    auto before = bench([](Context& ctx) -> Flow<> { co_await ctx.step("charge", [] {}); });
    auto after = bench([](Context& ctx) -> Flow<> {
        try {
            co_await ctx.step("bill", [] {});
        } catch (...) {
        }
    });
    after.journal = before.journal;
    after.notes.clear();
    after.restart();
    EXPECT_EQ(after.notes, (Notes{"diverged 1 step 'bill' / 'charge'"}));
}

TEST(Misuse, ArgumentsThatDoNotConvertNameFlowAndArgument) {
    auto demo = bench([](Context&, int) -> Flow<> { co_return; }, R"(["seven"])");
    EXPECT_EQ(demo.last(), "fail 1 misuse");
    EXPECT_NE(demo.ended.find("flow 'demo', argument 1"), std::string::npos) << demo.ended;
    auto few = bench([](Context&, int, int) -> Flow<> { co_return; }, R"([1])");
    EXPECT_NE(few.ended.find("takes 2 arguments, 1 given"), std::string::npos) << few.ended;
}

TEST(Misuse, AnEventOfAnotherTypeNamesTheEvent) {
    auto demo = bench([](Context& ctx) -> Flow<> { co_await ctx.event<int>("go"); });
    demo.event("go", R"("text")");
    EXPECT_EQ(demo.last(), "fail 2 misuse");
    EXPECT_NE(demo.ended.find("flow 'demo', event 'go'"), std::string::npos) << demo.ended;
}

TEST(Misuse, NothingIsAwaitedTwice) {
    auto demo = bench([](Context& ctx) -> Flow<> {
        auto step = ctx.step("a", [] {});
        co_await step;
        co_await step;
    });
    EXPECT_EQ(demo.last(), "fail 2 misuse");
    auto twice = bench([](Context& ctx) -> Flow<> {
        auto step = ctx.step("a", [] {});
        co_await ctx.all(step, step);
    });
    EXPECT_EQ(twice.last(), "fail 1 misuse");
}

}  // namespace
}  // namespace holdfast::flow
