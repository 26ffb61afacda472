// Hostile expressions are stopped by their budget. The tests assert counters, never times.
#include "expect.h"

namespace holdfast::feel {
namespace {

Trouble::Kind stopped_by(std::string_view text, const Settings& settings = {}) {
    const Evaluated result = evaluated(text, "{}", settings);
    EXPECT_TRUE(result.value.is_null()) << text;
    EXPECT_TRUE(result.trouble && result.trouble->is_budget()) << text;
    EXPECT_LE(result.memory, settings.budget.memory * 4) << text;
    return result.trouble ? result.trouble->kind : Trouble::Kind::evaluation;
}

TEST(Budget, AHugeRangeIsNotEvenBegun) {
    const Evaluated result = evaluated("for x in 1..1000000000 return x");
    EXPECT_EQ(result.trouble->kind, Trouble::Kind::range_length);
    EXPECT_LT(result.steps, 10u);
}

TEST(Budget, NestedLoopsStopByTheirSteps) {
    EXPECT_EQ(stopped_by("some x in 1..100000, y in 1..100000 satisfies x = -y"),
              Trouble::Kind::steps);
    EXPECT_EQ(stopped_by("for x in 1..10000 return for y in 1..10000 return x * y"),
              Trouble::Kind::memory);
}

TEST(Budget, AFunctionThatCallsItselfForEverStopsByItsDepth) {
    EXPECT_EQ(stopped_by("{f: function(n) f(n + 1), r: f(1)}.r"), Trouble::Kind::depth);
}

TEST(Budget, AStringThatDoublesStopsBeforeItIsLarge) {
    const char* text =
        "{f: function(s, n) if n = 0 then s else f(s + s, n - 1), r: f(\"abcdefghij\", 60)}.r";
    Settings settings;
    settings.budget.steps = UINT64_MAX;
    EXPECT_EQ(stopped_by(text, settings), Trouble::Kind::memory);
    EXPECT_EQ(stopped_by(text), Trouble::Kind::steps) << "reading long texts takes steps, too";
}

TEST(Budget, AMegabyteOfTextIsReadOnceAndNotForEver) {
    const std::string big = "\"" + std::string(1'000'000, 'x') + "\"";
    EXPECT_EQ(shown(evaluated("string length(" + big + ")").value), "1000000");
    EXPECT_EQ(stopped_by("for i in 1..1000 return contains(" + big + ", \"y\")"),
              Trouble::Kind::steps);
    EXPECT_EQ(stopped_by("for i in 1..1000 return upper case(" + big + ")"), Trouble::Kind::steps);
}

TEST(Budget, APatternThatWouldBacktrackForEverDoesNot) {
    const std::string many = "\"" + std::string(5'000, 'a') + "\"";
    EXPECT_EQ(shown(evaluated("matches(" + many + ", \"(a+)+$b\")").value), "false");
}

TEST(Budget, APatternCountsBySizeTimesText) {
    EXPECT_EQ(stopped_by("matches(string join(for i in 1..20000 return \"aaaaaaaaaa\"), "
                         "\"(a|b|c|d|e){1,500}x\")"),
              Trouble::Kind::steps);
    EXPECT_EQ(stopped_by("for i in 1..10000 return matches(\"a\", \"a\" + string(i))"),
              Trouble::Kind::steps);
}

TEST(Budget, ListsThatGrowAreCounted) {
    EXPECT_EQ(stopped_by("{a: for i in 1..1000 return i, b: [a,a,a,a,a,a,a,a,a,a], "
                         "c: [b,b,b,b,b,b,b,b,b,b], d: [c,c,c,c,c,c,c,c,c,c], f: flatten(d)}.f"),
              Trouble::Kind::memory);
    EXPECT_EQ(stopped_by("{a: for i in 1..90000 return i, b: concatenate(a,a,a,a,a,a,a,a,a)}.b"),
              Trouble::Kind::steps);
    EXPECT_EQ(stopped_by("for i in 1..2000 return concatenate(partial, [1])"),
              Trouble::Kind::depth);
}

TEST(Budget, ValuesThatNestWithoutEndAreStoppedByTheirDepth) {
    EXPECT_EQ(stopped_by("for i in 1..100000 return if i = 1 then [] else [partial[-1]]"),
              Trouble::Kind::depth);
    EXPECT_EQ(stopped_by("for i in 1..100000 return if i = 1 then {} else {a: partial[-1]}"),
              Trouble::Kind::depth);
    EXPECT_EQ(stopped_by("for i in 1..100000 return function() partial[-1]"), Trouble::Kind::depth);
}

TEST(Budget, AResultThatIsSmallInMemoryMayBeTooLargeToWrite) {
    EXPECT_EQ(stopped_by("{a: for i in 1..1000 return i, b: [a,a,a,a,a,a,a,a,a,a], "
                         "c: [b,b,b,b,b,b,b,b,b,b], d: [c,c,c,c,c,c,c,c,c,c]}"),
              Trouble::Kind::output_size);
    const Evaluated text = evaluated(
        "{a: for i in 1..1000 return i, b: [a,a,a,a,a,a,a,a,a,a], "
        "c: [b,b,b,b,b,b,b,b,b,b], d: [c,c,c,c,c,c,c,c,c,c], "
        "e: [d,d,d,d,d,d,d,d,d,d], r: string length(string(e))}.r");
    EXPECT_TRUE(text.trouble->is_budget());
}

TEST(Budget, SortingAndComparingTakeSteps) {
    EXPECT_EQ(stopped_by("sort(for i in 1..50000 return 50000 - i, function(x, y) x < y)"),
              Trouble::Kind::steps);
    EXPECT_EQ(stopped_by("distinct values(for i in 1..10000 return i)"), Trouble::Kind::steps);
    EXPECT_EQ(stopped_by("{a: for i in 1..1000 return i, b: for i in 1..1000 return i, "
                         "r: some x in 1..1000 satisfies a != b}.r"),
              Trouble::Kind::steps);
}

TEST(Budget, JsonVariablesCountWhenTheyAreUsed) {
    boost::json::array many(20'000, "a string that does not fit inside of a value");
    const boost::json::object variables{{"many", many}, {"few", 1}};
    Settings settings;
    settings.budget.memory = 100'000;
    const auto run = [&](std::string_view text) {
        return evaluate(*parse(text), Scope(variables), settings);
    };
    EXPECT_EQ(run("few").memory, 0u);
    EXPECT_EQ(run("count(many)").trouble->kind, Trouble::Kind::memory);
}

TEST(Budget, AListOfTheScopeIsConvertedOnce) {
    boost::json::array many(1'000, 5);
    const boost::json::object variables{{"many", many}};
    const Evaluated result =
        evaluate(*parse("for i in 1..100 return count(many)"), Scope(variables));
    EXPECT_LT(result.memory, 100'000u);
}

TEST(Budget, SmallEvaluationsAllocateNothing) {
    const Evaluated result = evaluated("amount > 1000 and customer.region = \"EU\"",
                                       R"({"amount": 1500, "customer": {"region": "EU"}})");
    EXPECT_TRUE(result.value.is_true());
    EXPECT_EQ(result.memory, 0u);
    EXPECT_EQ(result.steps, 8u);
}

TEST(Budget, TheReasonSaysWhichAndWhere) {
    const Evaluated result = evaluated("1 + (for x in 1..1000000000 return x)[1]");
    EXPECT_EQ(result.trouble->message, "a range has more than 100000 values");
    EXPECT_EQ(result.trouble->offset, 5u);
}

}  // namespace
}  // namespace holdfast::feel
