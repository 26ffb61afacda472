// The language, construct by construct.
#include "expect.h"

namespace holdfast::feel {
namespace {

TEST(Numbers, FollowThePrecedenceOfTheStandard) {
    EXPECT_EQ(result_of("1 + 2 * 3 ** 2"), "19");
    EXPECT_EQ(result_of("-3 ** 2"), "9");
    EXPECT_EQ(result_of("2 ** 3 ** 2"), "64");
    EXPECT_EQ(result_of("10 - 4 - 3"), "3");
    EXPECT_EQ(result_of("--5"), "5");
    EXPECT_EQ(result_of("0.1 + 0.2 = 0.3"), "true");
}

TEST(Numbers, DividingByZeroIsNullWithAReason) {
    EXPECT_EQ(result_of("1 / 0"), "null");
    EXPECT_EQ(trouble_of("1 / 0"), "division by zero");
}

TEST(Strings, KnowEscapesAndKeepUnknownOnesForPatterns) {
    EXPECT_EQ(result_of(R"(string length("\u00e9\U01F40E\n\"\\"))"), "5");
    EXPECT_EQ(result_of(R"("\ud83d\udca9" = "\U01F4A9")"), "true");
    EXPECT_EQ(result_of(R"(string length("\d\s"))"), "4");
}

TEST(Logic, HasThreeValues) {
    EXPECT_EQ(result_of("true and null"), "null");
    EXPECT_EQ(result_of("false and null"), "false");
    EXPECT_EQ(result_of("true or null"), "true");
    EXPECT_EQ(result_of("null or 5"), "null");
    EXPECT_EQ(result_of("not(null)"), "null");
}

TEST(Logic, DoesNotLookFurtherOnceItIsDecided) {
    EXPECT_EQ(trouble_of("false and 1 / 0 = 1"), "");
    EXPECT_EQ(trouble_of("true or 1 / 0 = 1"), "");
}

TEST(Equality, IsNullBetweenKindsAndFalseBesideNull) {
    EXPECT_EQ(result_of("1 = \"1\""), "null");
    EXPECT_EQ(result_of("1 = null"), "false");
    EXPECT_EQ(result_of("null = null"), "true");
    EXPECT_EQ(result_of("[1, {a: 2}] = [1.0, {a: 2}]"), "true");
    EXPECT_EQ(result_of("{a: 1, b: 2} = {b: 2, a: 1}"), "true");
    EXPECT_EQ(result_of("@\"P1Y\" = @\"P12M\""), "true");
}

TEST(Ranges, AreOpenOrClosedOnEachSide) {
    EXPECT_EQ(result_of("[1 in (1..3), 1 in [1..3], 3 in [1..3[, 3 in ]1..3]]"),
              "[false, true, false, true]");
    EXPECT_EQ(result_of("5 in (> 4)"), "true");
    EXPECT_EQ(result_of("5 in (1, > 7, [4..6])"), "true");
    EXPECT_EQ(result_of("[1..n[1]]", R"({"n": [5]})"), "[1..5]");
    EXPECT_EQ(result_of("[1..n[.end", R"({"n": 5})"), "5");
    EXPECT_EQ(result_of("[3..1]"), "null");
    EXPECT_EQ(result_of("5 in [1..null]"), "null");
}

TEST(Paths, GoThroughContextsListsAndProperties) {
    const char* json =
        R"({"order": {"lines": [{"price": 1}, {"price": 2}, {}], "day": "2024-02-29"}})";
    EXPECT_EQ(result_of("order.lines.price", json), "[1, 2, null]");
    EXPECT_EQ(result_of("date(order.day).month", json), "2");
    EXPECT_EQ(result_of("order.missing.deeper", json), "null");
    EXPECT_EQ(trouble_of("order.missing", json), "the context has no entry 'missing'");
    EXPECT_EQ(result_of("order.lines[2].price", json), "2");
}

TEST(Filters, SelectByPositionOrByCondition) {
    EXPECT_EQ(result_of("[1, 2, 3][-1]"), "3");
    EXPECT_EQ(result_of("[1, 2, 3][item > 1]"), "[2, 3]");
    EXPECT_EQ(result_of("[1, 2, 3][4]"), "null");
    EXPECT_EQ(result_of("[][1]"), "null");
    EXPECT_EQ(result_of("5[1]"), "5");
    EXPECT_EQ(result_of("{l: [1, 2, 3], i: 2, r: l[i]}.r"), "2");
}

TEST(Filters, FindMembersOfTheItemBeforeOtherNames) {
    EXPECT_EQ(result_of("[{x: 1}, {x: 5}, {y: 9}][x > 2]", R"({"x": 10})"), "[{x: 5}, {y: 9}]");
    EXPECT_EQ(result_of("[{item: 1}, {item: 3}][item > 2]"), "[{item: 3}]");
    EXPECT_EQ(result_of("[{a: [{b: 1}, {b: 2}], c: 2}][a[b = c][1].b = 2].c"), "[2]");
}

TEST(Loops, CountUpAndDownAndNest) {
    EXPECT_EQ(result_of("for i in 3..1 return i"), "[3, 2, 1]");
    EXPECT_EQ(result_of("for i in 1..2, j in [\"a\", \"b\"] return string(i) + j"),
              R"(["1a", "1b", "2a", "2b"])");
    EXPECT_EQ(result_of("for x in [[1, 2], [3]], y in x return y"), "[1, 2, 3]");
    EXPECT_EQ(result_of("for d in @\"2024-02-28\"..@\"2024-03-01\" return d.day"), "[28, 29, 1]");
    EXPECT_EQ(result_of("for i in (1..4) return i"), "[2, 3]");
    EXPECT_EQ(result_of("for i in (1..2) return i"), "[]");
    EXPECT_EQ(result_of("for i in \"a\"..\"c\" return i"), "null");
    EXPECT_EQ(result_of("for i in 1..1.5 return i"), "null");
}

TEST(Loops, SeeTheirResultsSoFar) {
    EXPECT_EQ(result_of("for i in 1..6 return if i < 3 then 1 else partial[-1] + partial[-2]"),
              "[1, 1, 2, 3, 5, 8]");
    EXPECT_EQ(result_of("for i in 1..3 return partial"), "[[], [[]], [[], [[]]]]");
    EXPECT_EQ(result_of("for i in 1..3 return count(partial)"), "[0, 1, 2]");
}

TEST(Quantifiers, AreDecidedByOneResult) {
    EXPECT_EQ(result_of("some x in [1, null, 3] satisfies x > 2"), "true");
    EXPECT_EQ(result_of("every x in [1, null] satisfies x > 2"), "false");
    EXPECT_EQ(result_of("every x in [5, null] satisfies x > 2"), "null");
    EXPECT_EQ(result_of("some x in [] satisfies true"), "false");
}

TEST(Functions, TakeArgumentsByPositionOrByName) {
    EXPECT_EQ(result_of("(function(a, b) a - b)(b: 1, a: 5)"), "4");
    EXPECT_EQ(result_of("(function(a) a)(1, 2)"), "null");
    EXPECT_EQ(result_of("(function(a) a)(c: 1)"), "null");
    EXPECT_EQ(result_of("substring(start position: 2, string: \"abc\")"), "\"bc\"");
    EXPECT_EQ(trouble_of("abs(number: 1)"), "abs() has no parameters with these names");
}

TEST(Functions, KeepTheirCapturedValues) {
    EXPECT_EQ(result_of("{add: function(a) function(b) a + b, five: add(5), r: five(2)}.r"), "7");
    EXPECT_EQ(result_of("(for i in 1..3 return function() i * 10)[2]()"), "20");
    EXPECT_EQ(result_of("[{x: 1}, {x: 2}][(function() x)() = 2]"), "[{x: 2}]");
}

TEST(Functions, CallThemselves) {
    EXPECT_EQ(result_of("{f: function(n) if n < 2 then n else f(n - 1) + f(n - 2), r: f(12)}.r"),
              "144");
}

TEST(Functions, CheckTheTypesOfTheirParameters) {
    EXPECT_EQ(result_of("(function(a: number) a)(\"x\")"), "null");
    EXPECT_EQ(result_of("(function(a: number) a)([7])"), "7");
    EXPECT_EQ(result_of("(function(a: list<number>) a)(7)"), "[7]");
    EXPECT_EQ(result_of("(function(a: date and time) a)(@\"2024-01-01\")"), "2024-01-01T00:00:00Z");
}

TEST(Types, AreDistinguished) {
    EXPECT_EQ(result_of("null instance of Any"), "false");
    EXPECT_EQ(result_of("[1, 2] instance of list<number>"), "true");
    EXPECT_EQ(result_of("[1, \"2\"] instance of list<number>"), "false");
    EXPECT_EQ(result_of("{a: 1, b: 2} instance of context<a: number>"), "true");
    EXPECT_EQ(result_of("[1..2] instance of range<number>"), "true");
    EXPECT_EQ(result_of("abs instance of function<number> -> number"), "true");
    EXPECT_EQ(result_of("@\"P1D\" instance of days and time duration"), "true");
}

TEST(Types, MayHaveNames) {
    const ParseOptions options{.types = {{"Person", "context<name: string, age: Age>"},
                                         {"Age", "number"},
                                         {"Loop", "list<Loop>"}}};
    const auto expression = parse("{name: \"x\", age: 1} instance of Person", options);
    ASSERT_TRUE(expression) << expression.error().message;
    EXPECT_TRUE(evaluate(*expression, Scope()).value.is_true());
    EXPECT_FALSE(parse("1 instance of Loop", options)) << "a type must not contain itself";
}

TEST(Contexts, SeeTheirEntriesInOrder) {
    EXPECT_EQ(result_of("{a: 1, b: a + 1, c: {d: a + b}}.c.d"), "3");
    EXPECT_EQ(result_of("{\"a b\": 1, r: a b + 1}.r"), "2");
    EXPECT_EQ(result_of("{}"), "{}");
}

TEST(Scope, AMissingNameIsNullWithAReason) {
    EXPECT_EQ(result_of("missing"), "null");
    EXPECT_EQ(trouble_of("missing"), "unknown name 'missing'");
    EXPECT_EQ(result_of("if missing > 1 then 1 else 2"), "2");
}

TEST(Scope, ASetValueHidesAVariable) {
    const boost::json::object json{{"a", 1}};
    Scope scope(json);
    scope.set("a", Decimal(2));
    EXPECT_EQ(shown(evaluate(*parse("a"), scope).value), "2");
}

TEST(UnaryTests, DecideWhetherAValuePasses) {
    const auto passes = [](std::string_view tests, const Value& input) {
        const auto expression = parse_unary_tests(tests);
        EXPECT_TRUE(expression) << tests;
        return shown(evaluate_tests(*expression, input, Scope()).value);
    };
    EXPECT_EQ(passes("< 10, 20", Decimal(20)), "true");
    EXPECT_EQ(passes("< 10, 20", Decimal(15)), "false");
    EXPECT_EQ(passes("[1..5)", Decimal(5)), "false");
    EXPECT_EQ(passes("-", Null{}), "true");
    EXPECT_EQ(passes("not(1, 2)", Decimal(3)), "true");
    EXPECT_EQ(passes("not(1, 2)", Decimal(2)), "false");
    EXPECT_EQ(passes("? > 5 and ? < 10", Decimal(7)), "true");
    EXPECT_EQ(passes("\"a\", \"b\"", Text("b")), "true");
    EXPECT_EQ(passes("true", false), "false");
    EXPECT_EQ(passes("contains(?, \"x\")", Text("axb")), "true");
    EXPECT_EQ(passes("[1, 2, 3]", Decimal(2)), "true");
}

TEST(Clock, IsGivenOrAbsent) {
    const Settings settings{.now = Moment(std::chrono::seconds(951'827'696))};
    EXPECT_EQ(shown(evaluated("now()", "{}", settings).value), "2000-02-29T12:34:56Z");
    EXPECT_EQ(shown(evaluated("today()", "{}", settings).value), "2000-02-29");
    EXPECT_EQ(trouble_of("today()"), "the current time is not available here");
}

}  // namespace
}  // namespace holdfast::feel
