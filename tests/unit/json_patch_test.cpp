#include <gtest/gtest.h>

#include "../support/arbitrary_json.h"
#include "base/json/canonical.h"
#include "base/json/merge.h"
#include "base/json/parse.h"
#include "base/json/patch.h"
#include "support/parsed_json.h"

namespace holdfast::json {
namespace {

Patch patch_of(std::string_view text) {
    auto patch = parse_patch(json(text));
    EXPECT_TRUE(patch) << text << ": " << patch.error().message;
    return patch ? *std::move(patch) : Patch{};
}

// The patched document in canonical form, or how and at which step it failed.
std::string patched(std::string_view target, std::string_view patch) {
    const auto outcome = apply_patch(json(target), patch_of(patch));
    if (const auto* value = std::get_if<bj::value>(&outcome)) return canonical(*value);
    const auto& failure = std::get<PatchFailure>(outcome);
    const bool tested = failure.kind == PatchFailure::Kind::test_failed;
    return (tested ? "test failed at " : "not applicable at ") + std::to_string(failure.step);
}

struct PatchRow {
    const char* name;
    const char* target;
    const char* patch;
    const char* outcome;
};

TEST(JsonPatch, DoesWhatRfc6902AppendixAShows) {
    const PatchRow rows[] = {
        {"A.1", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux"}])",
         R"({"baz":"qux","foo":"bar"})"},
        {"A.2", R"({"foo":["bar","baz"]})", R"([{"op":"add","path":"/foo/1","value":"qux"}])",
         R"({"foo":["bar","qux","baz"]})"},
        {"A.3", R"({"baz":"qux","foo":"bar"})", R"([{"op":"remove","path":"/baz"}])",
         R"({"foo":"bar"})"},
        {"A.4", R"({"foo":["bar","qux","baz"]})", R"([{"op":"remove","path":"/foo/1"}])",
         R"({"foo":["bar","baz"]})"},
        {"A.5", R"({"baz":"qux","foo":"bar"})", R"([{"op":"replace","path":"/baz","value":"boo"}])",
         R"({"baz":"boo","foo":"bar"})"},
        {"A.6", R"({"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}})",
         R"([{"op":"move","from":"/foo/waldo","path":"/qux/thud"}])",
         R"({"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}})"},
        {"A.7", R"({"foo":["all","grass","cows","eat"]})",
         R"([{"op":"move","from":"/foo/1","path":"/foo/3"}])",
         R"({"foo":["all","cows","eat","grass"]})"},
        {"A.8", R"({"baz":"qux","foo":["a",2,"c"]})",
         R"([{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}])",
         R"({"baz":"qux","foo":["a",2,"c"]})"},
        {"A.9", R"({"baz":"qux"})", R"([{"op":"test","path":"/baz","value":"bar"}])",
         "test failed at 0"},
        {"A.10", R"({"foo":"bar"})", R"([{"op":"add","path":"/child","value":{"grandchild":{}}}])",
         R"({"child":{"grandchild":{}},"foo":"bar"})"},
        {"A.11", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz","value":"qux","xyz":123}])",
         R"({"baz":"qux","foo":"bar"})"},
        {"A.12", R"({"foo":"bar"})", R"([{"op":"add","path":"/baz/bat","value":"qux"}])",
         "not applicable at 0"},
        {"A.14", R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":10}])",
         R"({"/":9,"~1":10})"},
        {"A.15", R"({"/":9,"~1":10})", R"([{"op":"test","path":"/~01","value":"10"}])",
         "test failed at 0"},
        {"A.16", R"({"foo":["bar"]})", R"([{"op":"add","path":"/foo/-","value":["abc","def"]}])",
         R"({"foo":["bar",["abc","def"]]})"},
    };
    for (const PatchRow& row : rows)
        EXPECT_EQ(patched(row.target, row.patch), row.outcome) << row.name;
}

TEST(JsonPatch, RefusesTheInvalidDocumentOfRfc6902AppendixA13WhenItIsRead) {
    const auto patch = parse(R"([{"op":"add","path":"/baz","value":"qux","op":"remove"}])");
    ASSERT_FALSE(patch);
    EXPECT_EQ(patch.error().code, ErrorCode::malformed_json);
}

TEST(JsonPatch, AppliesEachVerbAtTheEdges) {
    const PatchRow rows[] = {
        {"add replaces a member", R"({"a":1})", R"([{"op":"add","path":"/a","value":2}])",
         R"({"a":2})"},
        {"add replaces the root", R"({"a":1})", R"([{"op":"add","path":"","value":[1]}])", "[1]"},
        {"add at the end by index", "[1]", R"([{"op":"add","path":"/1","value":2}])", "[1,2]"},
        {"add beyond the end", "[1]", R"([{"op":"add","path":"/2","value":2}])",
         "not applicable at 0"},
        {"add with a leading zero", "[1]", R"([{"op":"add","path":"/00","value":2}])",
         "not applicable at 0"},
        {"add at a negative index", "[1]", R"([{"op":"add","path":"/-1","value":2}])",
         "not applicable at 0"},
        {"add at a signed index", "[1]", R"([{"op":"add","path":"/+0","value":2}])",
         "not applicable at 0"},
        {"add at half an index", "[1]", R"([{"op":"add","path":"/0x","value":2}])",
         "not applicable at 0"},
        {"add into a scalar", R"({"a":1})", R"([{"op":"add","path":"/a/b","value":2}])",
         "not applicable at 0"},
        {"add under an empty key", "{}", R"([{"op":"add","path":"/","value":2}])", R"({"":2})"},
        {"add - as an object key", "{}", R"([{"op":"add","path":"/-","value":2}])", R"({"-":2})"},
        {"add null", "{}", R"([{"op":"add","path":"/a","value":null}])", R"({"a":null})"},
        {"remove what is not there", "{}", R"([{"op":"remove","path":"/a"}])",
         "not applicable at 0"},
        {"remove past the end", "[1]", R"([{"op":"remove","path":"/-"}])", "not applicable at 0"},
        {"remove the root", "{}", R"([{"op":"remove","path":""}])", "not applicable at 0"},
        {"replace what is not there", "{}", R"([{"op":"replace","path":"/a","value":1}])",
         "not applicable at 0"},
        {"replace the root", "{}", R"([{"op":"replace","path":"","value":1}])", "1"},
        {"replace an element", "[1,2]", R"([{"op":"replace","path":"/1","value":3}])", "[1,3]"},
        {"move onto itself", R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])",
         R"({"a":1})"},
        {"move nothing onto itself", "{}", R"([{"op":"move","from":"/a","path":"/a"}])",
         "not applicable at 0"},
        {"move into its own child", R"({"a":{"b":1}})",
         R"([{"op":"move","from":"/a","path":"/a/c"}])", "not applicable at 0"},
        {"move beside a longer name", R"({"a":{"b":1}})",
         R"([{"op":"move","from":"/a","path":"/ab"}])", R"({"ab":{"b":1}})"},
        {"move to the root", R"({"a":{"b":1}})", R"([{"op":"move","from":"/a","path":""}])",
         R"({"b":1})"},
        {"move counts after the removal", "[1,2]", R"([{"op":"move","from":"/0","path":"/2"}])",
         "not applicable at 0"},
        {"copy into its own child", R"({"a":{"b":1}})",
         R"([{"op":"copy","from":"/a","path":"/a/c"}])", R"({"a":{"b":1,"c":{"b":1}}})"},
        {"copy the root", R"({"a":1})", R"([{"op":"copy","from":"","path":"/b"}])",
         R"({"a":1,"b":{"a":1}})"},
        {"copy what is not there", "{}", R"([{"op":"copy","from":"/a","path":"/b"}])",
         "not applicable at 0"},
        {"test the root by value", R"({"b":[1,2.0],"a":null})",
         R"([{"op":"test","path":"","value":{"a":null,"b":[1.0,2]}}])", R"({"a":null,"b":[1,2]})"},
        {"test respects array order", "[1,2]", R"([{"op":"test","path":"","value":[2,1]}])",
         "test failed at 0"},
        {"test what is not there", "{}", R"([{"op":"test","path":"/a","value":null}])",
         "test failed at 0"},
    };
    for (const PatchRow& row : rows)
        EXPECT_EQ(patched(row.target, row.patch), row.outcome) << row.name;
}

TEST(JsonPatch, NamesTheStepThatFailed) {
    EXPECT_EQ(patched("{}", R"([{"op":"add","path":"/a","value":1},
                                {"op":"test","path":"/a","value":2},
                                {"op":"remove","path":"/b"}])"),
              "test failed at 1");
}

TEST(JsonPatch, RefusesADocumentThatIsNoPatchAndNamesTheStep) {
    const char* const bad_second_steps[] = {
        "7",
        "{}",
        R"({"op":"spam","path":"/a"})",
        R"({"op":1,"path":"/a"})",
        R"({"op":"remove"})",
        R"({"op":"remove","path":7})",
        R"({"op":"remove","path":"a"})",
        R"({"op":"remove","path":"/a~2"})",
        R"({"op":"add","path":"/a"})",
        R"({"op":"test","path":"/a"})",
        R"({"op":"move","path":"/a"})",
        R"({"op":"copy","path":"/a","from":"b"})",
    };
    for (const std::string step : bad_second_steps) {
        const auto patch = parse_patch(json(R"([{"op":"remove","path":"/a"},)" + step + "]"));
        ASSERT_FALSE(patch) << step;
        EXPECT_EQ(patch.error().code, ErrorCode::invalid_argument);
        EXPECT_EQ(patch.error().context.at("step").to_number<int>(), 1) << step;
    }
    EXPECT_FALSE(parse_patch(json("{}")));
    EXPECT_TRUE(parse_patch(json("[]")));
}

TEST(JsonPatch, DoesNotLetCopiesDoubleWithoutBound) {
    std::string patch = R"([{"op":"add","path":"/a","value":[0]})";
    for (int i = 0; i < 60; ++i) patch += R"(,{"op":"copy","from":"/a","path":"/a/-"})";
    EXPECT_EQ(patched("{}", patch + "]").substr(0, 14), "not applicable");
}

TEST(JsonPatch, DoesNotNestValuesDeeperThanTheParserAllows) {
    std::string deep = "1";
    for (int i = 0; i < 60; ++i) deep = "[" + deep + "]";
    const std::string value = R"("value":)" + deep + "}]";
    const std::string target = R"({"a":{"b":{"c":{"d":{"e":1}}}}})";
    EXPECT_EQ(patched(target, R"([{"op":"add","path":"/a/b/c/d",)" + value),
              R"({"a":{"b":{"c":{"d":)" + deep + "}}}}");
    EXPECT_EQ(patched(target, R"([{"op":"add","path":"/a/b/c/d/f",)" + value),
              "not applicable at 0");
    EXPECT_EQ(patched(target, R"([{"op":"replace","path":"/a/b/c/d/e",)" + value),
              "not applicable at 0");
}

TEST(JsonPatch, RebuildsADocumentFromItsChangedPaths) {
    EXPECT_TRUE(rc::check([] {
        const bj::value before = *testing::any_object();
        const bj::value after = *testing::any_object();
        Patch patch;
        for (const std::string& pointer : changed_paths(before, after)) {
            const auto path = *parse_pointer(pointer);
            const bj::value* value = &after;
            for (const std::string& key : path)
                value = value ? value->as_object().if_contains(key) : nullptr;
            patch.push_back({.verb = value ? PatchVerb::add : PatchVerb::remove,
                             .path = path,
                             .from = {},
                             .value = value ? *value : bj::value()});
        }
        const auto outcome = apply_patch(before, patch);
        RC_ASSERT(std::holds_alternative<bj::value>(outcome));
        RC_ASSERT(equal(std::get<bj::value>(outcome), after));
    }));
}

TEST(JsonPointer, ReadsTheExamplesOfRfc6901) {
    using Tokens = std::vector<std::string>;
    EXPECT_EQ(*parse_pointer(""), Tokens{});
    EXPECT_EQ(*parse_pointer("/"), Tokens{""});
    EXPECT_EQ(*parse_pointer("/foo/0"), (Tokens{"foo", "0"}));
    EXPECT_EQ(*parse_pointer("/a~1b"), Tokens{"a/b"});
    EXPECT_EQ(*parse_pointer("/m~0n"), Tokens{"m~n"});
    EXPECT_EQ(*parse_pointer("/~01"), Tokens{"~1"});
    EXPECT_EQ(*parse_pointer("//x/"), (Tokens{"", "x", ""}));
    for (const char* text : {"a", "/~", "/~2", "/a~/b"}) EXPECT_FALSE(parse_pointer(text)) << text;
}

TEST(JsonPointer, ReadsBackWhatItWrites) {
    EXPECT_TRUE(rc::check([] {
        const auto tokens = *rc::gen::container<std::vector<std::string>>(testing::any_text());
        RC_ASSERT(*parse_pointer(to_pointer(tokens)) == tokens);
    }));
}

TEST(JsonMergePatch, DoesWhatRfc7396AppendixAShows) {
    const PatchRow rows[] = {
        {"1", R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
        {"2", R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
        {"3", R"({"a":"b"})", R"({"a":null})", "{}"},
        {"4", R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
        {"5", R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
        {"6", R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
        {"7", R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
        {"8", R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
        {"9", R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
        {"10", R"({"a":"b"})", R"(["c"])", R"(["c"])"},
        {"11", R"({"a":"foo"})", "null", "null"},
        {"12", R"({"a":"foo"})", R"("bar")", R"("bar")"},
        {"13", R"({"e":null})", R"({"a":1})", R"({"a":1,"e":null})"},
        {"14", "[1,2]", R"({"a":"b","c":null})", R"({"a":"b"})"},
        {"15", "{}", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},
    };
    for (const PatchRow& row : rows)
        EXPECT_EQ(canonical(apply_merge_patch(json(row.target), json(row.patch))), row.outcome)
            << row.name;
}

TEST(JsonMergePatch, IsIdempotent) {
    EXPECT_TRUE(rc::check([] {
        const bj::value target = *testing::any_json();
        const bj::value patch = *testing::any_json();
        const bj::value once = apply_merge_patch(target, patch);
        RC_ASSERT(equal(apply_merge_patch(once, patch), once));
    }));
}

TEST(JsonEqual, ComparesNumbersByValueAcrossTypes) {
    EXPECT_TRUE(equal(1, 1.0));
    EXPECT_TRUE(equal(std::uint64_t{1}, std::int64_t{1}));
    EXPECT_TRUE(equal(0.0, -0.0));
    EXPECT_TRUE(equal(0x1p63, std::uint64_t{1} << 63));
    EXPECT_FALSE(equal(0x1p53, 9007199254740993));
    EXPECT_FALSE(equal(-1, UINT64_MAX));
    EXPECT_FALSE(equal(1, 1.5));
    EXPECT_FALSE(equal(1, "1"));
    EXPECT_FALSE(equal(0, false));
}

TEST(JsonEqual, HoldsExactlyWhenTheCanonicalTextsAreEqual) {
    EXPECT_TRUE(rc::check([] {
        const bj::value a = *testing::any_json(1);
        const bj::value b = *testing::any_json(1);
        RC_ASSERT(equal(a, b) == (canonical(a) == canonical(b)));
    }));
}

// Regression: copies of one long string took gigabytes before the result was refused.
TEST(JsonPatch, LimitsWhatAllStepsCopyTogether) {
    Patch patch;
    for (int i = 0; i < 2'000; ++i)
        patch.push_back({PatchVerb::copy, {"c" + std::to_string(i)}, {"long"}, {}});
    const auto result = apply_patch(bj::object{{"long", std::string(500'000, 'x')}}, patch);
    const auto& failure = std::get<PatchFailure>(result);
    EXPECT_EQ(failure.kind, PatchFailure::Kind::not_applicable);
    EXPECT_EQ(failure.step, 2u);
}

// `count` steps that each shift a list of `size` elements.
Patch shifting_patch(std::size_t count) {
    PatchStep step{.verb = PatchVerb::add, .path = {"list", "0"}, .from = {}, .value = 1};
    return Patch(count, step);
}

bj::value with_list(std::size_t size) { return bj::object{{"list", bj::array(size, 0)}}; }

TEST(JsonPatch, CountsTheElementsThatItShifts) {
    Effort effort(1'000'000);
    const auto outcome = apply_patch(with_list(100'000), shifting_patch(30'000), effort);
    EXPECT_TRUE(effort.is_exhausted());
    EXPECT_LT(effort.spent(), 1'100'000U);
    ASSERT_TRUE(std::holds_alternative<PatchFailure>(outcome));
    EXPECT_EQ(std::get<PatchFailure>(outcome).kind, PatchFailure::Kind::not_applicable);
    Effort enough(1'000'000);
    EXPECT_TRUE(std::holds_alternative<bj::value>(
        apply_patch(with_list(100), shifting_patch(1'000), enough)));
}

TEST(JsonPatch, CountsTheValuesThatItMoves) {
    Patch patch;
    for (int i = 0; i < 30'000; ++i)
        patch.push_back({.verb = PatchVerb::move,
                         .path = {i % 2 ? "list" : "other"},
                         .from = {i % 2 ? "other" : "list"},
                         .value = nullptr});
    Effort effort(1'000'000);
    (void)apply_patch(with_list(100'000), patch, effort);
    EXPECT_TRUE(effort.is_exhausted());
    EXPECT_LT(effort.spent(), 1'100'000U);
}

}  // namespace
}  // namespace holdfast::json
