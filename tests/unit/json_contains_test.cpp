#include <gtest/gtest.h>

#include "../support/arbitrary_json.h"
#include "base/json/contains.h"
#include "base/json/parse.h"
#include "base/json/patch.h"
#include "support/parsed_json.h"

namespace holdfast::json {
namespace {

Path path(std::string_view text) {
    auto parsed = parse_path(text);
    EXPECT_TRUE(parsed) << text;
    return parsed ? *std::move(parsed) : Path{};
}

TEST(JsonContains, AgreesWithPostgres) {
    const struct {
        const char* whole;
        const char* part;
        bool contained;
    } rows[] = {
        {R"("foo")", R"("foo")", true},
        {"[1,2,3]", "[1,3]", true},
        {"[1,2,3]", "[3,1]", true},
        {"[1,2,3]", "[1,2,2]", true},
        {R"({"product":"PostgreSQL","version":9.4,"jsonb":true})", R"({"version":9.4})", true},
        {"[1,2,[1,3]]", "[1,3]", false},
        {"[1,2,[1,3]]", "[[1,3]]", true},
        {"[1,2,[1,3]]", "[[3]]", true},
        {R"({"foo":{"bar":"baz"}})", R"({"bar":"baz"})", false},
        {R"({"foo":{"bar":"baz"}})", R"({"foo":{}})", true},
        {R"(["foo","bar"])", R"("bar")", true},
        {R"("bar")", R"(["bar"])", false},
        {"1", "[]", false},
        {"[null]", "null", true},
        {"null", "null", true},
        {"[[1]]", "1", false},
        {R"({"a":[1]})", R"({"a":1})", false},
        {R"({"a":1})", "1", false},
        {R"({"a":1})", "{}", true},
        {"[1]", "[]", true},
        {"[]", "{}", false},
        {"{}", "[]", false},
        {R"({"a":[]})", R"({"a":{}})", false},
        {R"([{"a":1,"b":2}])", R"([{"a":1},{"b":2}])", true},
        {R"([{"a":1},{"b":2}])", R"([{"a":1,"b":2}])", false},
        {R"([{"a":1}])", R"({"a":1})", false},
        {R"({"a":1})", R"({"a":1.0})", true},
        {R"({"a":1})", R"({"a":"1"})", false},
        {R"({"a":null})", R"({"b":null})", false},
        {R"({"a":1})", R"({"a":1,"b":2})", false},
    };
    for (const auto& row : rows)
        EXPECT_EQ(contains(json(row.whole), json(row.part)), row.contained)
            << row.whole << " @> " << row.part;
}

// The effort of comparing `part` with `whole`, which contains it.
std::uint64_t effort_of(const bj::value& whole, const bj::value& part) {
    Effort effort;
    EXPECT_TRUE(Containment(part).is_in(whole, effort));
    return effort.spent();
}

bj::array numbers(std::int64_t count) {
    bj::array list;
    for (std::int64_t i = 0; i < count; ++i) list.emplace_back(i);
    return list;
}

TEST(JsonContains, ComparesListsOfScalarsInOnePass) {
    EXPECT_LT(effort_of(numbers(30'000), numbers(30'000)), 400'000U);
    // Lists inside of a list, each of which could hold the wanted one.
    const bj::array lists(1'000, numbers(20));
    bj::array wanted{numbers(20)};
    EXPECT_LT(effort_of(lists, wanted), 400'000U);
    wanted[0].get_array().push_back(-1);
    Effort effort;
    EXPECT_FALSE(Containment(wanted).is_in(lists, effort));
    EXPECT_LT(effort.spent(), 400'000U);
}

TEST(JsonContains, EndsWhenItsWorkIsExhausted) {
    Effort effort(1'000);
    EXPECT_FALSE(Containment(numbers(10'000)).is_in(numbers(10'000), effort));
    EXPECT_TRUE(effort.is_exhausted());
    EXPECT_LT(effort.spent(), 2'000U);
}

TEST(JsonContains, AFilterHasAtMost64ObjectsAndListsInItsLists) {
    const bj::array objects(64, bj::object{});
    EXPECT_TRUE(check_containment(bj::object{{"a", objects}, {"b", numbers(2'000)}}));
    bj::array lists = objects;
    lists.push_back(bj::array{});
    const auto refused = check_containment(bj::object{{"a", lists}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_FALSE(check_containment(bj::array{bj::array{objects}}));
}

TEST(JsonContains, HoldsForEveryValueAndItself) {
    EXPECT_TRUE(rc::check([] {
        const bj::value value = *testing::any_json();
        RC_ASSERT(contains(value, value));
    }));
}

TEST(JsonContains, HoldsForWhatAMergePatchPutsIn) {
    EXPECT_TRUE(rc::check([] {
        const bj::value base = *testing::any_object();
        bj::value change = apply_merge_patch(bj::object{}, *testing::any_object());
        RC_ASSERT(contains(apply_merge_patch(base, change), change));
    }));
}

TEST(JsonPath, IsOneToSixteenSegments) {
    EXPECT_EQ(path("agentContext.currentAgent").segments,
              (std::vector<std::string>{"agentContext", "currentAgent"}));
    EXPECT_EQ(to_string(path("a.b-c.D_9.0")), "a.b-c.D_9.0");
    EXPECT_TRUE(parse_path(std::string(64, 'a')));
    EXPECT_TRUE(parse_path("1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16"));
    const std::string bad[] = {"",
                               ".",
                               "a.",
                               ".a",
                               "a..b",
                               "a b",
                               "a/b",
                               "a$",
                               "é",
                               "1.2.3.4.5.6.7.8.9.10.11.12.13.14.15.16.17",
                               std::string(65, 'a')};
    for (const std::string& text : bad) {
        const auto parsed = parse_path(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::invalid_argument);
    }
}

TEST(JsonPath, FindsMembersAndElementsLikePostgres) {
    const bj::value value = json(R"({"a":{"b":[10,{"c":"x"},30]},"0":"zero"})");
    EXPECT_EQ(text_at(value, path("a.b.0")), "10");
    EXPECT_EQ(text_at(value, path("a.b.1.c")), "x");
    EXPECT_EQ(text_at(value, path("a.b.-1")), "30");
    EXPECT_EQ(text_at(value, path("a.b.-3")), "10");
    EXPECT_EQ(text_at(value, path("a.b.02")), "30");
    EXPECT_EQ(text_at(value, path("0")), "zero");
    for (const char* nowhere : {"x", "a.x", "a.b.3", "a.b.-4", "a.b.x", "a.b.-", "a.b.1-",
                                "a.b.0.0", "a.b.99999999999999999999"}) {
        EXPECT_EQ(find(value, path(nowhere)), nullptr) << nowhere;
    }
}

TEST(JsonPath, ShowsTextOnlyForScalarsThatAreNotNull) {
    const bj::value value = json(R"({"t":true,"n":null,"o":{},"l":[],"d":1e-7})");
    EXPECT_EQ(text_at(value, path("t")), "true");
    EXPECT_EQ(text_at(value, path("d")), "0.0000001");
    for (const char* without_text : {"n", "o", "l", "x"})
        EXPECT_EQ(text_at(value, path(without_text)), std::nullopt) << without_text;
    EXPECT_NE(find(value, path("n")), nullptr);
}

TEST(JsonLeaves, AreTheScalarsAtFixedPaths) {
    const auto found = leaves(json(R"({"a":{"b":"x","n":null,"l":[1]},"c":1.50,"d.e":1,"o":{}})"));
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(to_string(found[0].path), "a.b");
    EXPECT_EQ(found[0].text, "x");
    EXPECT_EQ(to_string(found[1].path), "c");
    EXPECT_EQ(found[1].text, "1.5");
}

TEST(JsonLeaves, AreNoneAtTheTopWhereAnArrayMayContainTheScalar) {
    EXPECT_TRUE(leaves(json("1")).empty());
    EXPECT_TRUE(leaves(json("[1]")).empty());
}

TEST(JsonLeaves, AreFoundInWhateverContainsThePart) {
    EXPECT_TRUE(rc::check([] {
        const bj::value part = apply_merge_patch(bj::object{}, *testing::any_object());
        const bj::value whole = apply_merge_patch(*testing::any_object(), part);
        for (const Leaf& leaf : leaves(part)) RC_ASSERT(text_at(whole, leaf.path) == leaf.text);
    }));
}

}  // namespace
}  // namespace holdfast::json
