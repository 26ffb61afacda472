#include <gtest/gtest.h>

#include "../support/arbitrary_json.h"
#include "base/json/canonical.h"
#include "base/json/merge.h"
#include "base/json/parse.h"
#include "base/json/patch.h"
#include "support/parsed_json.h"

namespace holdfast::json {
namespace {

using Paths = std::vector<std::string>;

// The merged document in canonical form, or the paths that overlap, each after a "!".
std::string merged(std::string_view base, std::string_view ours, std::string_view theirs) {
    const auto outcome = merge(json(base), json(ours), json(theirs));
    if (const auto* value = std::get_if<bj::value>(&outcome)) return canonical(*value);
    std::string paths;
    for (const std::string& path : std::get<Overlap>(outcome).paths) paths += "!" + path;
    return paths;
}

struct Row {
    const char* rule;
    const char* base;
    const char* ours;
    const char* theirs;
    const char* outcome;
};

TEST(JsonMerge, FollowsItsRules) {
    const Row rows[] = {
        {"different members", R"({"a":1,"b":1})", R"({"a":2,"b":1})", R"({"a":1,"b":2})",
         R"({"a":2,"b":2})"},
        {"nested members", R"({"o":{"a":1,"b":1}})", R"({"o":{"a":2,"b":1}})",
         R"({"o":{"a":1,"b":2}})", R"({"o":{"a":2,"b":2}})"},
        {"an addition and a removal", R"({"a":1})", R"({"a":1,"b":2})", "{}", R"({"b":2})"},
        {"the same change", R"({"a":1})", R"({"a":2})", R"({"a":2.0})", R"({"a":2})"},
        {"both remove", R"({"a":1,"b":1})", R"({"b":1})", R"({"b":1})", R"({"b":1})"},
        {"both add the same", "{}", R"({"a":[1]})", R"({"a":[1]})", R"({"a":[1]})"},
        {"both add objects", "{}", R"({"o":{"a":1}})", R"({"o":{"b":2}})",
         R"({"o":{"a":1,"b":2}})"},
        {"both change a scalar", R"({"a":1})", R"({"a":2})", R"({"a":3})", "!/a"},
        {"null is a value", R"({"a":1})", R"({"a":null})", "{}", "!/a"},
        {"arrays are one piece", R"({"a":[1,2]})", R"({"a":[0,2]})", R"({"a":[1,3]})", "!/a"},
        {"removal against a change inside", R"({"o":{"a":1}})", "{}", R"({"o":{"a":2}})", "!/o"},
        {"a scalar replaced by two objects", R"({"o":1})", R"({"o":{"a":1}})", R"({"o":{"b":1}})",
         "!/o"},
        {"both add objects that differ inside", "{}", R"({"o":{"a":1}})", R"({"o":{"a":2}})",
         "!/o/a"},
        {"the root as one piece", "1", "2", "3", "!"},
        {"the root against an object", R"({"a":1})", "[]", R"({"a":2})", "!"},
        {"one side replaces the root", R"({"a":1})", "[]", R"({"a":1})", "[]"},
        {"every overlap is named, sorted", R"({"b":1,"a":{"x/y":1},"c":1})",
         R"({"b":2,"a":{"x/y":2},"c":2})", R"({"b":3,"a":{"x/y":3},"c":1})", "!/a/x~1y!/b"},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(merged(row.base, row.ours, row.theirs), row.outcome) << row.rule;
        EXPECT_EQ(merged(row.base, row.theirs, row.ours), row.outcome) << row.rule << ", swapped";
    }
}

TEST(JsonMerge, OfDisjointChangesEqualsApplyingBoth) {
    EXPECT_TRUE(rc::check([] {
        const bj::value base = *testing::any_object_with({"a", "b", "c", "d"});
        const bj::value our_change = *testing::any_object_with({"a", "b"});
        const bj::value their_change = *testing::any_object_with({"c", "d"});
        const bj::value ours = apply_merge_patch(base, our_change);
        const bj::value theirs = apply_merge_patch(base, their_change);

        const auto outcome = merge(base, ours, theirs);
        RC_ASSERT(std::holds_alternative<bj::value>(outcome));
        RC_ASSERT(equal(std::get<bj::value>(outcome), apply_merge_patch(ours, their_change)));
    }));
}

TEST(JsonMerge, TakesTheOnlySideThatChanged) {
    EXPECT_TRUE(rc::check([] {
        const bj::value base = *testing::any_object();
        const bj::value ours = *testing::any_object();
        for (const auto& outcome :
             {merge(base, ours, base), merge(base, base, ours), merge(base, ours, ours)}) {
            RC_ASSERT(std::holds_alternative<bj::value>(outcome));
            RC_ASSERT(equal(std::get<bj::value>(outcome), ours));
        }
    }));
}

TEST(JsonChangedPaths, NamesTheOutermostMembersThatDiffer) {
    const bj::value before = json(R"({"same":1,"o":{"x":1,"y":{"z":1}},"gone":{"a":1},"l":[1,2]})");
    const bj::value after = json(R"({"same":1.0,"o":{"x":2,"y":{"z":2}},"new":{"a":1},"l":[1,3]})");
    EXPECT_EQ(changed_paths(before, after), (Paths{"/gone", "/l", "/new", "/o/x", "/o/y/z"}));
}

TEST(JsonChangedPaths, NamesTheRootWhenItIsNoObject) {
    EXPECT_EQ(changed_paths(json("1"), json("2")), Paths{""});
    EXPECT_EQ(changed_paths(json("{}"), json("[]")), Paths{""});
}

TEST(JsonChangedPaths, AreNoneExactlyWhenTheDocumentsAreEqual) {
    EXPECT_TRUE(rc::check([] {
        const bj::value before = *testing::any_json();
        const bj::value after = *testing::any_json();
        RC_ASSERT(changed_paths(before, before).empty());
        RC_ASSERT(changed_paths(before, after).empty() == equal(before, after));
    }));
}

}  // namespace
}  // namespace holdfast::json
