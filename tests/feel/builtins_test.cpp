// The tables of built-ins, and behaviour that the conformance cases do not cover.
#include "feel/builtins/builtins.h"

#include <fstream>
#include <set>

#include "expect.h"
#include "feel/builtins/reference.h"

namespace holdfast::feel {
namespace {

TEST(Builtins, EveryRowHasAnExampleThatWorks) {
    const Settings settings{.now = Moment(std::chrono::seconds(1'700'000'000))};
    for (const Builtin& row : all_builtins()) {
        EXPECT_FALSE(row.about.empty()) << row.name;
        EXPECT_NE(row.example.find(std::string(row.name) + "("), row.example.npos) << row.name;
        const Evaluated result = evaluated(row.example, "{}", settings);
        EXPECT_FALSE(result.trouble) << row.example << ": " << result.trouble->message;
    }
}

TEST(Builtins, RowsOfOneNameAreAdjacent) {
    std::size_t rows = 0;
    std::set<std::string_view> names;
    for (const Builtin& row : all_builtins())
        if (names.insert(row.name).second) rows += find_builtins(row.name).size();
    EXPECT_EQ(rows, all_builtins().size());
    EXPECT_TRUE(find_builtins("nothing").empty());
}

TEST(Builtins, TheReferencePageIsTheirTable) {
    const char* source = std::getenv("HOLDFAST_SOURCE");
    std::ifstream file(std::string(source ? source : ".") + "/docs/reference/feel.md");
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(page == reference_page())
        << "outdated; run: holdfast feel --reference > docs/reference/feel.md";
}

TEST(Builtins, SayWhichArgumentDoesNotFit) {
    EXPECT_EQ(trouble_of("abs(1, 2)"), "wrong number of arguments for abs()");
    EXPECT_EQ(trouble_of("upper case(1)"), "'string' of upper case() must be a string");
    EXPECT_EQ(trouble_of("date(\"2024-02-30\")"), "'2024-02-30' is not a date");
    EXPECT_EQ(trouble_of("sum([1, \"2\"])"), "expected a list of numbers");
}

TEST(Builtins, TakeAListOfOneForItsItemAndBack) {
    EXPECT_EQ(result_of("upper case([\"a\"])"), "\"A\"");
    EXPECT_EQ(result_of("count(5)"), "1");
    EXPECT_EQ(result_of("string join(\"a\", \"-\")"), "\"a\"");
}

TEST(Builtins, PositionsCountCharacters) {
    EXPECT_EQ(result_of("substring(\"a🐎é\", 2, 1)"), "\"🐎\"");
    EXPECT_EQ(result_of("substring(\"a🐎é\", -1)"), "\"é\"");
    EXPECT_EQ(result_of("substring(\"abc\", 0)"), "null");
    EXPECT_EQ(result_of("substring(\"abc\", 5)"), "\"\"");
    EXPECT_EQ(result_of("substring(\"abc\", -5)"), "null");
    EXPECT_EQ(result_of("upper case(\"é\") + lower case(\"Ж\")"), "\"Éж\"");
}

TEST(Builtins, SortIsStableAndTakesAnyFunction) {
    EXPECT_EQ(result_of("sort([3, 1, 2])"), "[1, 2, 3]");
    EXPECT_EQ(result_of("sort([{k: 1, v: 1}, {k: 0, v: 2}, {k: 1, v: 3}, {k: 0, v: 4}], "
                        "function(a, b) a.k < b.k).v"),
              "[2, 4, 1, 3]");
    EXPECT_EQ(result_of("count(sort([1, 2, 3, 4, 5], function(a, b) true))"), "5");
    EXPECT_EQ(trouble_of("sort([1, \"a\"])"),
              "sort() without a function needs values that can be ordered");
}

TEST(Builtins, EmptyListsHaveNoExtremes) {
    for (const char* text : {"min([])", "max([])", "sum([])", "mean([])", "median([])"})
        EXPECT_EQ(result_of(text), "null") << text;
    EXPECT_EQ(result_of("count([])"), "0");
}

TEST(Builtins, AreValuesThemselves) {
    EXPECT_EQ(result_of("{f: upper case, r: f(\"a\")}.r"), "\"A\"");
    EXPECT_EQ(result_of("sort([2, 1], before)"), "[1, 2]");
}

TEST(Builtins, DatesInTextNeedTheirFunction) {
    EXPECT_EQ(result_of("date(d) + @\"P1D\"", R"({"d": "2024-02-28"})"), "2024-02-29");
    EXPECT_EQ(result_of("day of week(date and time(\"2024-02-29T23:00:00-05:00\"))"),
              "\"Thursday\"");
}

TEST(Builtins, ANumberMayBeReadWithoutSeparators) {
    EXPECT_EQ(result_of("number(\"-12.50\")"), "-12.50");
    EXPECT_EQ(result_of("number(\"12x\")"), "null");
    EXPECT_EQ(result_of("number(\"1 000,5\", \" \", \",\")"), "1000.5");
}

}  // namespace
}  // namespace holdfast::feel
