#include "model/schema/state_schema.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <chrono>

#include "base/json/parse.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

std::shared_ptr<const StateSchema> compiled(std::string_view text) {
    auto schema = StateSchema::compile(text);
    EXPECT_TRUE(schema) << text << ": " << schema.error().message;
    return schema ? *schema : nullptr;
}

std::string refusal_of(std::string_view text) {
    const auto schema = StateSchema::compile(text);
    if (schema) return "accepted";
    EXPECT_EQ(schema.error().code, ErrorCode::invalid_argument);
    return schema.error().message;
}

bj::value parsed(std::string_view text) {
    auto value = json::parse(text);
    EXPECT_TRUE(value) << text;
    return value.value_or(bj::value{});
}

std::vector<SchemaViolation> check(const StateSchema& schema, const bj::value& state) {
    Effort effort(64'000'000);
    return schema.check(state, effort);
}

std::vector<SchemaViolation> violations(std::string_view schema, std::string_view state) {
    return check(*compiled(schema), parsed(state));
}

struct Verdicts {
    const char* schema;
    std::vector<const char*> valid;
    std::vector<const char*> invalid;
};

void expect(const Verdicts& verdicts) {
    const auto schema = compiled(verdicts.schema);
    ASSERT_TRUE(schema);
    for (const char* state : verdicts.valid)
        EXPECT_TRUE(check(*schema, parsed(state)).empty()) << verdicts.schema << " " << state;
    for (const char* state : verdicts.invalid)
        EXPECT_FALSE(check(*schema, parsed(state)).empty()) << verdicts.schema << " " << state;
}

TEST(StateSchema, ATypeAdmitsItsValuesOnly) {
    expect({R"({"type": "integer"})",
            {"1", "-0.0", "1e300", "18446744073709551615"},
            {"1.5", "\"1\""}});
    expect({R"({"type": "number"})", {"1", "1.5"}, {"\"1\"", "true"}});
    expect({R"({"type": ["string", "null"]})", {"\"\"", "null"}, {"0", "{}", "[]", "false"}});
    expect(
        {R"({"enum": [1, "a", {"b": 2, "a": 1}]})", {"1.0", "{\"a\":1,\"b\":2}"}, {"2", "\"b\""}});
    expect({R"({"const": {"a": [1]}})", {"{\"a\":[1]}"}, {"{\"a\":[1,2]}", "null"}});
}

TEST(StateSchema, NumbersCompareExactly) {
    expect({R"({"minimum": 9007199254740993})", {"9007199254740993"}, {"9007199254740992"}});
    expect({R"({"exclusiveMaximum": 18446744073709551615})",
            {"18446744073709551614"},
            {"18446744073709551615"}});
    expect({R"({"maximum": 1.5, "exclusiveMinimum": 0})", {"1.5", "1"}, {"1.6", "0", "2"}});
    expect({R"({"multipleOf": 0.01})", {"19.99", "0", "-3", "1e300"}, {"0.001", "19.999"}});
    expect({R"({"multipleOf": 3})", {"9", "18446744073709551615"}, {"1e300", "0.3"}});
}

TEST(StateSchema, AStringIsMeasuredInCodePoints) {
    expect({R"({"minLength": 2, "maxLength": 3})",
            {"\"é€\"", "\"😀😀😀\"", "1"},
            {"\"é\"", "\"abcd\""}});
}

TEST(StateSchema, APatternMatchesAnywhereUnlessAnchored) {
    expect({R"({"pattern": "a+b"})", {"\"xaabx\"", "5"}, {"\"ba\""}});
    expect({R"({"pattern": "^\\p{Lu}\\d{3}$"})", {"\"É123\""}, {"\"e123\"", "\"É1234\""}});
}

TEST(StateSchema, APatternThatWouldBacktrackIsCheckedInLinearTime) {
    const auto schema = compiled(R"({"pattern": "^(a|aa|a*)*$"})");
    EXPECT_EQ(check(*schema, bj::value(std::string(500'000, 'a') + "!")).size(), 1u);
    EXPECT_TRUE(check(*schema, bj::value(std::string(500'000, 'a'))).empty());
}

TEST(StateSchema, APatternThatCannotBeCheckedInLinearTimeIsRefusedByName) {
    for (const std::string pattern : {"(?=a)b", "(a)\\\\1", "(", "a{1001}", "(?<!x)y"}) {
        const auto message =
            refusal_of(R"({"properties": {"a": {"pattern": ")" + pattern + "\"}}}");
        EXPECT_NE(message.find("/properties/a/pattern"), std::string::npos) << message;
    }
    const auto message = refusal_of(R"s({"patternProperties": {"(?!x)": true}})s");
    EXPECT_NE(message.find("(?!x)"), std::string::npos) << message;
}

TEST(StateSchema, ArraysAreCheckedByElement) {
    expect({R"({"items": {"type": "integer"}})", {"[]", "[1,2]", "{}"}, {"[1,\"2\"]"}});
    expect({R"({"items": [{"type": "integer"}, true], "additionalItems": false})",
            {"[]", "[1]", "[1,null]"},
            {"[null]", "[1,2,3]"}});
    expect({R"({"minItems": 1, "maxItems": 2})", {"[1]", "[1,2]"}, {"[]", "[1,2,3]"}});
    expect({R"({"uniqueItems": true})",
            {"[1,\"1\",true]", "[]"},
            {"[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]"}});
    expect({R"({"contains": {"const": 3}})", {"[1,3]"}, {"[]", "[1]"}});
}

TEST(StateSchema, ObjectsAreCheckedByMember) {
    expect({R"({"properties": {"a": {"type": "integer"}},
               "patternProperties": {"^n_": {"type": "null"}},
               "additionalProperties": {"type": "string"}})",
            {"{\"a\":1,\"n_x\":null,\"z\":\"\"}"},
            {"{\"a\":\"1\"}", "{\"n_x\":1}", "{\"z\":1}"}});
    expect({R"({"required": ["a", "b"]})", {"{\"a\":1,\"b\":null}", "[]"}, {"{\"a\":1}"}});
    expect({R"({"minProperties": 1, "maxProperties": 1})",
            {"{\"a\":1}"},
            {"{}", "{\"a\":1,\"b\":2}"}});
    expect({R"({"propertyNames": {"maxLength": 2}})", {"{\"ab\":1}"}, {"{\"abc\":1}"}});
    expect({R"({"dependencies": {"a": ["b"], "c": {"required": ["d"]}}})",
            {"{}", "{\"a\":1,\"b\":1}", "{\"c\":1,\"d\":1}"},
            {"{\"a\":1}", "{\"c\":1}"}});
}

TEST(StateSchema, SchemasCombine) {
    expect({R"({"allOf": [{"minimum": 1}, {"maximum": 3}]})", {"2"}, {"0", "4"}});
    expect({R"({"anyOf": [{"const": 1}, {"const": 2}]})", {"1", "2"}, {"3"}});
    expect({R"({"oneOf": [{"minimum": 1}, {"maximum": 3}]})", {"0", "4"}, {"2"}});
    expect({R"({"not": {"type": "null"}})", {"1"}, {"null"}});
    expect({R"({"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"minimum": 0}})",
            {"20", "5"},
            {"15", "-1"}});
}

TEST(StateSchema, AReferenceLeadsToAnyPlaceInTheSchema) {
    expect({R"({"properties": {"a": {"$ref": "#/definitions/p%25~1~0"}},
            "definitions": {"p%/~": {"const": 1}}})",
            {"{\"a\":1}"},
            {"{\"a\":2}"}});
    expect({R"({"properties": {"next": {"$ref": "#"}}, "required": ["v"]})",
            {"{\"v\":1,\"next\":{\"v\":2}}"},
            {"{\"v\":1,\"next\":{}}"}});
    expect({R"({"$ref": "#/definitions/a", "maximum": 0, "definitions": {"a": {"minimum": 0}}})",
            {"5"},
            {"-1"}});
}

TEST(StateSchema, AReferenceOutsideTheSchemaIsRefused) {
    for (const char* reference :
         {"http://example.com/s", "other.json#/a", "#/definitions/no", "#a", "#/%zz"})
        EXPECT_NE(refusal_of(R"({"$ref": ")" + std::string(reference) + "\"}").find("/$ref"),
                  std::string::npos)
            << reference;
}

TEST(StateSchema, KeywordsThatAreNamesOrDataAreNotRules) {
    expect({R"({"properties": {"$ref": {"type": "string"}, "pattern": {"type": "integer"}}})",
            {R"({"$ref": "http://x", "pattern": 1})"},
            {R"({"$ref": 1})"}});
    expect({R"({"enum": [{"$ref": "http://x"}], "default": {"pattern": "("},
            "examples": [{"type": 5}]})",
            {R"({"$ref": "http://x"})"},
            {"1"}});
}

TEST(StateSchema, FormatAndUnknownKeywordsAreAnnotations) {
    expect({R"({"format": "date", "x-note": {"type": 7}})", {"\"never\"", "1"}, {}});
}

TEST(StateSchema, OnlyDraft7IsSupported) {
    EXPECT_TRUE(compiled(R"({"$schema": "http://json-schema.org/draft-07/schema#"})"));
    EXPECT_TRUE(compiled(R"({"$schema": "https://json-schema.org/draft-07/schema"})"));
    EXPECT_NE(refusal_of(R"({"$schema": "https://json-schema.org/draft/2020-12/schema"})")
                  .find("draft-07"),
              std::string::npos);
    EXPECT_NE(refusal_of(R"({"$schema": 7})"), "accepted");
}

TEST(StateSchema, AKeywordOfTheWrongFormIsRefusedWithItsPath) {
    for (const char* keyword : {R"("type": "text")",
                                R"("type": [])",
                                R"("enum": 1)",
                                R"("minimum": "1")",
                                R"("multipleOf": 0)",
                                R"("minLength": -1)",
                                R"("maxItems": 1.5)",
                                R"("pattern": 1)",
                                R"("uniqueItems": 1)",
                                R"("items": 1)",
                                R"("required": "a")",
                                R"("required": [1])",
                                R"("properties": [])",
                                R"("properties": {"a": 1})",
                                R"("dependencies": {"a": [1]})",
                                R"("allOf": [])",
                                R"("anyOf": {})",
                                R"("not": null)",
                                R"("definitions": {"a": 1})",
                                R"("$ref": 1)"}) {
        const auto message =
            refusal_of(R"({"properties": {"deep": {)" + std::string(keyword) + "}}}");
        EXPECT_NE(message.find("/properties/deep/"), std::string::npos) << keyword << message;
    }
    EXPECT_NE(refusal_of("true"), "accepted");
    EXPECT_NE(refusal_of("[]"), "accepted");
}

TEST(StateSchema, ASchemaThatAppliesItselfToTheSameValueIsRefused) {
    for (const char* schema :
         {R"({"$ref": "#"})", R"({"allOf": [{"$ref": "#"}]})", R"({"not": {"$ref": "#"}})",
          R"({"if": {"$ref": "#"}})", R"({"dependencies": {"a": {"$ref": "#"}}})",
          R"({"$ref": "#/definitions/a", "definitions": {"a": {"$ref": "#/definitions/b"},
              "b": {"$ref": "#/definitions/a"}}})"})
        EXPECT_NE(refusal_of(schema).find("leads back to itself"), std::string::npos) << schema;
}

TEST(StateSchema, AVeryDeepSchemaIsRefused) {
    std::string deep = "{}";
    for (int i = 0; i < 70; ++i) deep = R"({"items": )" + deep + "}";
    EXPECT_FALSE(StateSchema::compile(deep));
    std::string chain = R"("d0": {})";
    for (int i = 1; i < 40; ++i)
        chain += ", \"d" + std::to_string(i) + R"(": {"$ref": "#/definitions/d)" +
                 std::to_string(i - 1) + "\"}";
    EXPECT_NE(refusal_of(R"({"definitions": {)" + chain + "}}"), "accepted");
}

TEST(StateSchema, ACheckThatBranchesWithoutEndIsGivenUp) {
    const auto schema = compiled(R"({"$ref": "#/definitions/t", "definitions": {"t":
        {"items": {"anyOf": [{"allOf": [{"$ref": "#/definitions/t"}, {"maximum": 0}]},
                             {"allOf": [{"$ref": "#/definitions/t"}, {"maximum": 0}]}]}}}})");
    std::string deep = "1";
    for (int i = 0; i < 60; ++i) deep = "[" + deep + "]";
    const auto found = check(*schema, parsed(deep));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("too long"), std::string::npos);
}

TEST(StateSchema, ExceedingTheBudgetInsideANegationIsNotAPass) {
    const auto schema = compiled(R"({"not": {"items": {"not": {"$ref": "#/definitions/t"}}},
        "definitions": {"t": {"type": "array", "items": {"allOf": [
            {"anyOf": [{"$ref": "#/definitions/t"}, {"$ref": "#/definitions/t"}]},
            {"anyOf": [{"$ref": "#/definitions/t"}, {"$ref": "#/definitions/t"}]}]}}}})");
    std::string deep = "1";
    for (int i = 0; i < 60; ++i) deep = "[" + deep + "]";
    EXPECT_FALSE(check(*schema, parsed(deep)).empty());
}

// As many states as RE2 can keep, so that each byte costs a visit to each of them.
const std::string costly_pattern = "(x?y?z?){300}(a|aa|b|bb){300}c";

TEST(StateSchema, MatchingCountsWithTheSizeOfThePattern) {
    const auto schema = compiled(R"({"pattern": ")" + costly_pattern + R"("})");
    Effort effort(1'000'000);
    const auto found = schema->check(bj::value(std::string(200'000, 'a')), effort);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NE(found[0].message.find("too long"), std::string::npos) << found[0].message;
    EXPECT_TRUE(effort.is_exhausted());
    Effort enough(1'000'000);
    EXPECT_EQ(schema->check(bj::value("a"), enough).size(), 1u);
    EXPECT_FALSE(enough.is_exhausted());
}

TEST(StateSchema, MatchingNamesCountsToo) {
    const auto schema = compiled(R"({"patternProperties": {")" + costly_pattern + R"(": true}})");
    Effort effort(1'000'000);
    (void)schema->check(bj::object{{std::string(200'000, 'a'), 1}}, effort);
    EXPECT_TRUE(effort.is_exhausted());
}

TEST(StateSchema, AStoredSchemaIsCompiledByTheFirstCheckThatCanAffordIt) {
    const auto schema = StateSchema::stored(R"({"pattern": "^a+$"})");
    Effort little(10'000);
    (void)schema->check(bj::value("a"), little);
    EXPECT_TRUE(little.is_exhausted());
    EXPECT_TRUE(check(*schema, bj::value("a")).empty());
    Effort again(10'000);
    EXPECT_EQ(schema->check(bj::value("b"), again).size(), 1u);
    EXPECT_FALSE(again.is_exhausted()) << "it is compiled once";
}

TEST(StateSchema, AViolationSaysWhereAndWhat) {
    EXPECT_EQ(violations(R"({"properties": {"a/b": {"items": {"type": "integer"}}}})",
                         R"({"a/b": [1, "x"]})"),
              (std::vector<SchemaViolation>{{"/a~1b/1", "must be integer, not string"}}));
    EXPECT_EQ(violations(R"({"required": ["a"], "additionalProperties": false})", R"({"b": 1})"),
              (std::vector<SchemaViolation>{{"", "member 'a' is required"},
                                            {"", "member 'b' is not allowed"}}));
}

TEST(StateSchema, ViolationsStopAtTwenty) {
    const auto schema = compiled(R"({"items": {"type": "string"}})");
    EXPECT_EQ(check(*schema, bj::value(bj::array(1000, 1))).size(), 20u);
}

TEST(StateSchema, ALargeStateIsCheckedWithinItsBudget) {
    const auto schema = compiled(R"({"type": "object", "properties": {"items": {"type": "array",
        "uniqueItems": true, "items": {"type": "object", "required": ["id"],
        "additionalProperties": false, "properties": {"id": {"type": "integer", "minimum": 0},
        "n": {"type": "string", "pattern": "^x+$"}}}}}})");
    bj::array items;
    for (int i = 0; i < 33'000; ++i) items.push_back(bj::object{{"id", i}, {"n", "xxxxxxxx"}});
    const bj::value state = bj::object{{"items", std::move(items)}};
    EXPECT_TRUE(check(*schema, state).empty());
}

}  // namespace
}  // namespace holdfast
