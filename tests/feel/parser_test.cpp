// Parse errors with their positions; names with spaces.
#include "expect.h"

namespace holdfast::feel {
namespace {

TEST(Refusals, SayWhatIsWrongAndWhere) {
    EXPECT_EQ(refusal_of("1 +"), "unexpected end of the expression (line 1, column 4)");
    EXPECT_EQ(refusal_of("(1 + 2"),
              "expected ')' after the expression in parentheses, found the end (line 1, column 7)");
    EXPECT_EQ(refusal_of("1\n+ * 2"), "expected a value, found '*' (line 2, column 3)");
    EXPECT_EQ(refusal_of("\"abc"),
              "unterminated string: the closing quote is missing (line 1, column 1)");
    EXPECT_EQ(refusal_of("1 /* x"), "unterminated comment: */ is missing (line 1, column 3)");
    EXPECT_EQ(refusal_of("a # b"), "unexpected '#' (line 1, column 3)");
    EXPECT_EQ(refusal_of("{a: 1, a: 2}"), "duplicate entry 'a' (line 1, column 8)");
    EXPECT_EQ(refusal_of("1 instance of nonsense"), "unknown type 'nonsense' (line 1, column 15)");
    EXPECT_EQ(refusal_of("if a then b"),
              "expected 'else' after 'then', found the end (line 1, column 12)");
    EXPECT_EQ(refusal_of("f(a: 1, 2)"),
              "arguments must be all by name or all by position (line 1, column 9)");
    EXPECT_EQ(refusal_of("?"), "'?' is allowed in unary tests only (line 1, column 1)");
    EXPECT_EQ(refusal_of("1 2"), "expected an operator or the end, found '2' (line 1, column 3)");
}

TEST(Refusals, CountColumnsInCharacters) {
    EXPECT_EQ(refusal_of("\"é🐎\" +* 1"), "expected a value, found '*' (line 1, column 7)");
}

TEST(Refusals, NameUnknownZonesAndBadDates) {
    EXPECT_NE(refusal_of("@\"2024-02-30\""), "");
    EXPECT_NE(refusal_of("@\"10:00:00@Mars/Base\"").find("unknown time zone"), std::string::npos);
}

TEST(Refusals, CarryTheirPositionAsNumbers) {
    const auto refused = parse("1 +\n  )");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(refused.error().context.at("offset").to_number<int>(), 6);
    EXPECT_EQ(refused.error().context.at("line").to_number<int>(), 2);
    EXPECT_EQ(refused.error().context.at("column").to_number<int>(), 3);
}

TEST(Refusals, CoverInvalidUtf8) {
    EXPECT_EQ(refusal_of("1 + \"\xff\""), "invalid UTF-8 (line 1, column 6)");
    EXPECT_NE(refusal_of("\xc0\x80"), "");
    EXPECT_NE(refusal_of("\xed\xa0\x80"), "");
}

TEST(Names, TheLongestInScopeWins) {
    const char* json = R"({"a": 1, "a-b": 10, "order total": 5, "x in y": 7, "order": 3})";
    EXPECT_EQ(result_of("a-b", json), "10");
    EXPECT_EQ(result_of("a -b", json), "10");
    EXPECT_EQ(result_of("a - order", json), "-2");
    EXPECT_EQ(result_of("order   total + 1", json), "6");
    EXPECT_EQ(result_of("x in y * 2", json), "14");
}

TEST(Names, ConsecutiveUnknownWordsAreOneName) {
    Scope scope;
    scope.set("order total", Decimal(5));
    const auto expression = parse("order total > 4 and order total < 6");
    ASSERT_TRUE(expression);
    EXPECT_TRUE(evaluate(*expression, scope).value.is_true());
}

TEST(Names, OfMembersMayHaveSpacesToo) {
    EXPECT_EQ(result_of("c.first name", R"({"c": {"first name": "Ada"}})"), "\"Ada\"");
    EXPECT_EQ(result_of("[{full name: 1}][full name = 1].full name"), "[1]");
    EXPECT_EQ(result_of("@\"10:00:00+01:00\".time offset"), "PT1H");
}

TEST(Names, OfLoopsAndParametersMayHaveSpaces) {
    EXPECT_EQ(result_of("for my item in [1, 2] return my item + 1"), "[2, 3]");
    EXPECT_EQ(result_of("(function(first one, b) first one * b)(2, 3)"), "6");
}

TEST(Names, OfBuiltInsGiveWayToThoseInTheText) {
    EXPECT_EQ(result_of("{count: function(x) 42, r: count([1])}.r"), "42");
    EXPECT_EQ(result_of("count + 1", R"({"count": 1})"), "2");
    EXPECT_EQ(result_of("count([1, 2])", R"({"count": 1})"), "2");
}

TEST(Comments, AreSpace) { EXPECT_EQ(result_of("1 + // one\n2 /* two */ + 3"), "6"); }

TEST(Limits, StopTheParserWithAPosition) {
    const auto nested = [](std::string_view open, std::string_view close) {
        std::string text;
        for (int i = 0; i < 5'000; ++i) text += open;
        text += '1';
        for (int i = 0; i < 5'000; ++i) text += close;
        return refusal_of(text).substr(0, 12);
    };
    EXPECT_EQ(nested("[", "]"), "nested deepe");
    EXPECT_EQ(nested("(", ")"), "nested deepe");
    EXPECT_EQ(nested("-", ""), "nested deepe");
    EXPECT_EQ(nested("{a:", "}"), "nested deepe");
    EXPECT_EQ(nested("if 1 then ", " else 1"), "nested deepe");
    EXPECT_EQ(nested("function(x) ", ""), "nested deepe");
    EXPECT_EQ(nested("1+", ""), "the expressi");
    EXPECT_EQ(nested("1..", ""), "expected an ");
    EXPECT_EQ(refusal_of(std::string(2 << 20, ' ')).substr(0, 31),
              "the expression is longer than 1");
}

TEST(Limits, ThousandsOfNamesAreFoundFast) {
    std::string text = "{";
    for (int i = 0; i < 6'000; ++i)
        text +=
            "a " + std::to_string(i) + "x: " + (i ? "a " + std::to_string(i - 1) + "x" : "1") + ",";
    EXPECT_EQ(result_of("count(get entries(" + text + "last: 1}))"), "6001");
}

TEST(Limits, AFunctionHasAtMostAHundredParameters) {
    std::string text = "function(p";
    for (int i = 0; i < 100; ++i) text += ", p" + std::to_string(i);
    EXPECT_EQ(refusal_of(text + ") 1").substr(0, 43),
              "a function may have at most 100 parameters ");
}

TEST(Limits, ALongSumWithinThemIsFine) {
    std::string text = "0";
    for (int i = 0; i < 400; ++i) text += "+1";
    EXPECT_EQ(result_of(text), "400");
}

}  // namespace
}  // namespace holdfast::feel
