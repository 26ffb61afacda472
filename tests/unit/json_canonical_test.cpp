#include <gtest/gtest.h>

#include <bit>
#include <boost/json/serialize.hpp>
#include <cstdint>
#include <limits>

#include "../support/arbitrary_json.h"
#include "base/json/canonical.h"
#include "base/json/document.h"
#include "base/json/parse.h"
#include "base/json/patch.h"

namespace holdfast::json {
namespace {

std::string canonical_of(std::string_view text) {
    const auto value = parse(text);
    EXPECT_TRUE(value) << text;
    return value ? canonical(*value) : "";
}

TEST(JsonCanonical, PrintsDoublesAsRfc8785AppendixBLists) {
    const struct {
        std::uint64_t bits;
        const char* text;
    } rows[] = {
        {0x0000000000000000, "0"},
        {0x8000000000000000, "0"},
        {0x0000000000000001, "5e-324"},
        {0x8000000000000001, "-5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0xffefffffffffffff, "-1.7976931348623157e+308"},
        {0x4340000000000000, "9007199254740992"},
        {0xc340000000000000, "-9007199254740992"},
        {0x4430000000000000, "295147905179352830000"},
        {0x44b52d02c7e14af5, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6, "1e+23"},
        {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4e, "999999999999999700000"},
        {0x444b1ae4d6e2ef4f, "999999999999999900000"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0x41b3de4355555553, "333333333.3333332"},
        {0x41b3de4355555554, "333333333.33333325"},
        {0x41b3de4355555555, "333333333.3333333"},
        {0x41b3de4355555556, "333333333.3333334"},
        {0x41b3de4355555557, "333333333.33333343"},
        {0xbecbf647612f3696, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959, "1424953923781206.2"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(canonical(std::bit_cast<double>(row.bits)), row.text) << std::hex << row.bits;
}

TEST(JsonCanonicalDeathTest, HasNoTextForNanAndInfinity) {
    EXPECT_DEATH(canonical(std::numeric_limits<double>::quiet_NaN()), "finite");
    EXPECT_DEATH(canonical(std::numeric_limits<double>::infinity()), "finite");
}

TEST(JsonCanonical, PrintsTheSampleOfRfc8785) {
    EXPECT_EQ(
        canonical_of(R"({
        "numbers": [333333333.3333333, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
    })"),
        R"({"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
        R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
}

TEST(JsonCanonical, SortsKeysByUtf16CodeUnits) {
    EXPECT_EQ(canonical_of(R"({
        "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
        "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
        "\u00f6": "Latin Small Letter O With Diaeresis"
    })"),
              "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
              "\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\","
              "\"😀\":\"Emoji: Grinning Face\",\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(JsonCanonical, SortsAPrefixBeforeWhatItBegins) {
    EXPECT_EQ(canonical_of(R"({"ab":1,"a":{"z":1,"":2},"":3,"aa":4})"),
              R"({"":3,"a":{"":2,"z":1},"aa":4,"ab":1})");
}

TEST(JsonCanonical, SeparatesElementsWhateverTheyEndIn) {
    EXPECT_EQ(canonical_of(R"([[],"[",[[]],{},"{",{"a":"{","b":[]},""])"),
              R"([[],"[",[[]],{},"{",{"a":"{","b":[]},""])");
}

TEST(JsonCanonical, EscapesOnlyWhatItMust) {
    std::string text;
    append_canonical_string(text, std::string_view("\0\x01\b\t\n\v\f\r\x1f \"\\/\x7fé\u2028", 19));
    EXPECT_EQ(text, "\"\\u0000\\u0001\\b\\t\\n\\u000b\\f\\r\\u001f \\\"\\\\/\x7fé\u2028\"");
}

TEST(JsonCanonical, KeepsIntegersOf64BitsWhole) {
    EXPECT_EQ(canonical(INT64_MIN), "-9223372036854775808");
    EXPECT_EQ(canonical(UINT64_MAX), "18446744073709551615");
    EXPECT_EQ(canonical_of("9007199254740993"), "9007199254740993");
}

TEST(JsonCanonical, PrintsADoubleThatIsAnIntegerLikeTheInteger) {
    EXPECT_EQ(canonical(1.0), "1");
    EXPECT_EQ(canonical(0x1p60), "1152921504606846976");
    EXPECT_EQ(canonical(-0x1p63), canonical(INT64_MIN));
}

TEST(JsonCanonical, ReadsBackAsTheSameValueAndPrintsAlikeAgain) {
    EXPECT_TRUE(rc::check([] {
        const bj::value value = *testing::any_json();
        const std::string text = canonical(value);
        const auto read = parse(text);
        RC_ASSERT(read.has_value());
        RC_ASSERT(equal(*read, value));
        RC_ASSERT(canonical(*read) == text);
    }));
}

TEST(JsonCanonical, DoesNotDependOnTheOrderOfMembers) {
    EXPECT_TRUE(rc::check([] {
        const bj::value value = *testing::any_object();
        bj::object reversed;
        const bj::object& object = value.get_object();
        for (auto member = object.end(); member != object.begin();) {
            --member;
            reversed.emplace(member->key(), member->value());
        }
        RC_ASSERT(canonical(reversed) == canonical(value));
    }));
}

TEST(JsonScalarText, IsPlainDecimalForNumbers) {
    const struct {
        const char* json;
        const char* text;
    } rows[] = {
        {"1e21", "1000000000000000000000"},
        {"1e-7", "0.0000001"},
        {"-2.5e-9", "-0.0000000025"},
        {"1.5e22", "15000000000000000000000"},
        {"12.50", "12.5"},
        {"1e2", "100"},
        {"-0.0", "0"},
        {"18446744073709551615", "18446744073709551615"},
    };
    for (const auto& row : rows) EXPECT_EQ(scalar_text(*parse(row.json)), row.text) << row.json;
    EXPECT_EQ(scalar_text(std::numeric_limits<double>::max())->size(), 309u);
}

TEST(JsonScalarText, IsBareForStringsAndAbsentForTheRest) {
    EXPECT_EQ(scalar_text("a \"b\""), "a \"b\"");
    EXPECT_EQ(scalar_text(true), "true");
    EXPECT_EQ(scalar_text(false), "false");
    EXPECT_EQ(scalar_text(nullptr), std::nullopt);
    EXPECT_EQ(scalar_text(bj::object{}), std::nullopt);
    EXPECT_EQ(scalar_text(bj::array{}), std::nullopt);
}

// Regression: a text that outgrew its buffer inside a string contained NUL bytes.
TEST(JsonCanonical, LongTextsRoundTripWhateverTheirLength) {
    for (std::size_t size = 0; size < 3'000; size += 7) {
        const bj::object object{{"a", std::string(size, 'x')}, {"b", std::string(size / 3, 'y')}};
        const std::string text = canonical(object);
        EXPECT_EQ(text.size(), 15 + size + size / 3);
        const auto parsed = parse(text);
        ASSERT_TRUE(parsed.has_value()) << size;
        EXPECT_EQ(*parsed, bj::value(object));
    }
}

// What looks at the members in order must not see how a document was made.
TEST(JsonDocument, AKeptValueIsLikeOneThatWasParsed) {
    EXPECT_TRUE(rc::check([] {
        const auto value = parse(canonical(*testing::any_json()));
        RC_ASSERT(value.has_value());
        bj::value mixed = *value;
        if (bj::object* object = mixed.if_object(); object && object->size() > 1) {
            const bj::key_value_pair first = *object->begin();
            object->erase(object->begin());  // another takes its place
            object->emplace(first.key(), first.value());
        }
        const Document kept = Document::keeping(mixed);
        RC_ASSERT(kept.text() == Document::of(*value).text());
        RC_ASSERT(serialize(*kept.shared_value()) == serialize(Document::of(*value).value()));
    }));
}

TEST(JsonDocument, AForgottenValueIsParsedAgain) {
    Document document = Document::keeping({{"b", 1}, {"a", 2}});
    const std::uint64_t before = texts_parsed();
    EXPECT_EQ(*document.shared_value(), *document.shared_value());
    EXPECT_EQ(texts_parsed(), before);
    document.forget_value();
    EXPECT_EQ(serialize(*document.shared_value()), R"({"a":2,"b":1})");
    EXPECT_EQ(texts_parsed(), before + 1);
}

}  // namespace
}  // namespace holdfast::json
