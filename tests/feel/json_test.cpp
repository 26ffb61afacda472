#include "feel/values/json.h"

#include "expect.h"

namespace holdfast::feel {
namespace {

namespace bj = boost::json;

bj::value through(std::string_view json) {
    const auto back = to_json(from_json(bj::parse(json)));
    return back ? *back : bj::value(back.error().message);
}

TEST(Json, GoesBothWays) {
    for (const char* json : {"null", "true", "0", "-5", "9223372036854775807", "1.5", "0.1", "1E-7",
                             "\"x\"", "[]", "{}", R"({"a":[1,{"b c":"d"}],"e":null})"})
        EXPECT_EQ(through(json), bj::parse(json)) << json;
    EXPECT_EQ(through("18446744073709551615"), bj::value(18446744073709551615.0));
}

TEST(Json, NumbersAreExactInside) {
    EXPECT_EQ(result_of("a + b", R"({"a": 0.1, "b": 0.2})"), "0.3");
    EXPECT_EQ(result_of("a + 1", R"({"a": 18446744073709551615})"), "18446744073709551616");
    EXPECT_EQ(result_of("a + 1", R"({"a": -9223372036854775808})"), "-9223372036854775807");
}

TEST(Json, WholeNumbersBecomeIntegersHoweverTheyWereComputed) {
    const auto json = to_json(evaluated("1.5 * 2").value);
    EXPECT_TRUE(json->is_int64());
    EXPECT_EQ(*to_json(evaluated("1 / 3").value), bj::value(1.0 / 3));
}

TEST(Json, DatesTimesDurationsAndRangesBecomeText) {
    EXPECT_EQ(bj::serialize(*to_json(evaluated("[@\"2024-02-29\", @\"10:00:00Z\", @\"P1D\", "
                                               "@\"2024-01-01T00:00:00@Europe/Paris\", [1..2]]")
                                         .value)),
              R"(["2024-02-29","10:00:00Z","P1D","2024-01-01T00:00:00@Europe/Paris","[1..2]"])");
}

TEST(Json, FunctionsAndNumbersBeyondDoublesHaveNoForm) {
    EXPECT_EQ(to_json(evaluated("function(a) a").value).error().code, ErrorCode::refused);
    EXPECT_EQ(to_json(evaluated("10 ** 400 + 0.5").value).error().code, ErrorCode::unrepresentable);
}

TEST(Json, StringsStayStrings) {
    EXPECT_EQ(result_of("d instance of string", R"({"d": "2024-02-29"})"), "true");
}

TEST(Json, NamesOfMoreThanOneWordAreCollectedAtAnyDepth) {
    const bj::value json = bj::parse(R"({"a": 1, "b c": [{"d-e": {"f g": 1}}], "été": 2})");
    EXPECT_EQ(names_in(json), (std::vector<std::string>{"b c", "d-e", "f g"}));
}

}  // namespace
}  // namespace holdfast::feel
