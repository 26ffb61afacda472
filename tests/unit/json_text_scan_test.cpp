#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "../support/arbitrary_json.h"
#include "base/json/canonical.h"
#include "base/json/text_scan.h"
#include "support/parsed_json.h"

namespace holdfast::json {
namespace {

TEST(JsonTextScan, FindsWhatThePathOfTheParsedValueFinds) {
    const std::string text = canonical(json(R"({
        "a": {"b": "plain", "c": [1, {"d": "in a list"}, "x,}]"], "e\"": 1, "f": {}},
        "ab": "a\"b\\c}", "b": -1.5e-9, "list": [[1], 2], "n": null, "t": true,
        "ü": "ü", "z": "{\"a\": {\"b\": \"inside a string\"}}"})"));
    for (const char* path :
         {"a",        "a.b",    "a.c",   "a.c.0", "a.c.1.d", "a.c.2", "a.c.-1", "a.c.7", "a.c.x",
          "a.e",      "a.f",    "a.f.g", "a.b.c", "ab",      "abc",   "b",      "b.c",   "list.0",
          "list.0.0", "list.1", "n",     "t",     "z",       "z.a.b", "d",      "0",     "-1"}) {
        const Path wanted = *parse_path(path);
        EXPECT_EQ(text_in(text, wanted), text_at(json(text), wanted)) << path;
    }
    EXPECT_EQ(text_in(text, *parse_path("a.c.1.d")), "in a list");
    EXPECT_EQ(text_in(text, *parse_path("ab")), R"(a"b\c})");
}

RC_GTEST_PROP(JsonTextScan, FindsEachLeafOfAnyValue, ()) {
    const bj::value value =
        *testing::any_object_with({"a", "b", "a-b", "0", "\"a", "a\\"}).as("value");
    const std::string text = canonical(value);
    for (const Leaf& leaf : leaves(value)) RC_ASSERT(text_in(text, leaf.path) == leaf.text);
}

TEST(JsonTextScan, StopsAtTheEndOfATextThatWasCut) {
    const std::string text = R"({"a":{"b":"c\\","d":[1,{"e":"f"}]},"g":"h"})";
    for (const char* path : {"a.b", "a.d.1.e", "g", "x"})
        for (std::size_t size = 0; size <= text.size(); ++size) {
            const std::string cut = text.substr(0, size);  // its own bytes: sanitizers watch them
            const auto found = text_in(cut, *parse_path(path));
            EXPECT_TRUE(!found || *found == text_at(json(text), *parse_path(path)))
                << cut << ' ' << path;
        }
}

}  // namespace
}  // namespace holdfast::json
