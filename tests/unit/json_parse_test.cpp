#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "base/json/canonical.h"
#include "base/json/parse.h"

namespace holdfast::json {
namespace {

Error refusal(std::string_view text, const Limits& limits = {}) {
    const auto value = parse(text, limits);
    EXPECT_FALSE(value) << text.substr(0, 80) << " was read as " << canonical(*value);
    return value ? Error{} : value.error();
}

std::int64_t offset_of(const Error& error) {
    EXPECT_EQ(error.code, ErrorCode::malformed_json) << error.message;
    const bj::value* offset = error.context.if_contains("offset");
    return offset ? offset->to_number<std::int64_t>() : -1;
}

std::string path_of(const Error& error) {
    EXPECT_EQ(error.code, ErrorCode::unrepresentable) << error.message;
    const bj::value* path = error.context.if_contains("path");
    return path ? std::string(path->as_string()) : "none";
}

bj::value number(std::string_view text) {
    const auto value = parse(text);
    EXPECT_TRUE(value) << text;
    return value ? *value : bj::value();
}

std::string repeated(std::string_view piece, std::size_t times) {
    std::string text;
    for (std::size_t i = 0; i < times; ++i) text += piece;
    return text;
}

TEST(JsonParse, ReadsEveryKindOfValue) {
    const auto value = parse(R"( {"n":null,"t":true,"f":false,"i":-7,"s":"x","a":[1,[]],"o":{}} )");
    ASSERT_TRUE(value);
    EXPECT_EQ(canonical(*value),
              R"({"a":[1,[]],"f":false,"i":-7,"n":null,"o":{},"s":"x","t":true})");
}

TEST(JsonParse, ReadsEscapesAndSurrogatePairs) {
    const auto value = parse(R"("\"\\\/\b\f\n\r\tA\u00e9\u20AC\ud83D\uDE00")");
    ASSERT_TRUE(value);
    EXPECT_EQ(std::string(value->as_string()), "\"\\/\b\f\n\r\tAé€😀");
}

TEST(JsonParse, ReadsLongStringsWithEscapesWhole) {
    const std::string plain = repeated("0123456789", 2'000);
    const auto value = parse("{\"k\\n" + plain + "\":\"" + plain + "\\t" + plain + "\"}");
    ASSERT_TRUE(value);
    EXPECT_EQ(std::string(value->at("k\n" + plain).as_string()), plain + "\t" + plain);
}

TEST(JsonParse, KeepsAnIntegralNumberAsAnIntegerHoweverItIsWritten) {
    for (const char* text : {"100", "1e2", "1E+2", "100.0", "100.000e0", "10000e-2", "0.001e5"}) {
        ASSERT_TRUE(number(text).is_int64()) << text;
        EXPECT_EQ(number(text).get_int64(), 100) << text;
    }
    for (const char* text : {"0", "-0", "0.0", "-0.0", "0e5", "-0e-5", "0.000e2000000000"}) {
        ASSERT_TRUE(number(text).is_int64()) << text;
        EXPECT_EQ(number(text).get_int64(), 0) << text;
    }
}

TEST(JsonParse, KeepsTheWhole64BitRange) {
    EXPECT_EQ(number("9223372036854775807").get_int64(), INT64_MAX);
    EXPECT_EQ(number("-9223372036854775808").get_int64(), INT64_MIN);
    EXPECT_EQ(number("-9223372036854775808.0").get_int64(), INT64_MIN);
    EXPECT_EQ(number("9223372036854775808").get_uint64(), std::uint64_t{1} << 63);
    EXPECT_EQ(number("18446744073709551615").get_uint64(), UINT64_MAX);
    EXPECT_EQ(number("1844674407370955161.5e1").get_uint64(), UINT64_MAX);
    EXPECT_EQ(number("1e19").get_uint64(), 10'000'000'000'000'000'000u);
    EXPECT_EQ(number("9007199254740993").get_int64(), 9007199254740993);
}

TEST(JsonParse, ReadsTheNearestDouble) {
    EXPECT_EQ(number("0.1").get_double(), 0.1);
    EXPECT_EQ(number("-12.50").get_double(), -12.5);
    EXPECT_EQ(number("1e20").get_double(), 1e20);
    EXPECT_EQ(number("1e23").get_double(), 1e23);
    EXPECT_EQ(number("5e-324").get_double(), std::numeric_limits<double>::denorm_min());
    EXPECT_EQ(number("1.7976931348623157e308").get_double(), std::numeric_limits<double>::max());
    EXPECT_EQ(number("0.30000000000000004").get_double(), 0.1 + 0.2);
    EXPECT_EQ(number("[3.141592653589793, 0, 0, 0, 0, 0, 0, 0, 0]").as_array()[0].get_double(),
              3.141592653589793);
}

TEST(JsonParse, RefusesANumberThatLosesDigitsAndSaysWhere) {
    EXPECT_EQ(path_of(refusal(R"({"a":[{"b":0.1234567890123456789}]})")), "/a/0/b");
    EXPECT_EQ(path_of(refusal(R"({"x":{"y":[1,2]},"a~b":[[],["]",{"c\/d\u0041":1e400}]]})")),
              "/a~0b/1/1/c~1dA");
    EXPECT_EQ(path_of(refusal("18446744073709551617")), "");
}

TEST(JsonParse, RefusesNumbersBeyondTheReachOfADouble) {
    for (const char* text :
         {"-9223372036854775809", "4.9e-324", "1e-400", "1e309", "-1e309", "1e999999999999",
          "1e-999999999999", "100000000000000000000.5", "0.1000000000000000055511151231257827"}) {
        EXPECT_EQ(path_of(refusal(text)), "") << text;
    }
}

TEST(JsonParse, RefusesAnExponentBeyond31BitsEvenOnAZero) {
    EXPECT_EQ(number("0e2147483647").get_int64(), 0);
    EXPECT_EQ(path_of(refusal("[0e2147483648]")), "/0");
}

TEST(JsonParse, ReadsNumbersOfAnyLengthInLinearTime) {
    const std::string zeros(2'000'000, '0');
    EXPECT_EQ(number("1." + zeros).get_int64(), 1);
    EXPECT_EQ(number("0." + zeros + "15e2000000").get_double(), 0.15);
    EXPECT_EQ(number("25" + zeros + "e-2000001").get_double(), 2.5);
    EXPECT_EQ(path_of(refusal("1" + zeros)), "");
    EXPECT_EQ(path_of(refusal("[0." + zeros + "1]")), "/0");
    EXPECT_EQ(path_of(refusal(std::string(2'000'000, '7'))), "");
    EXPECT_EQ(path_of(refusal("1e" + std::string(2'000'000, '9'))), "");
}

TEST(JsonParse, RefusesADuplicateKeyAndSaysWhere) {
    const Error error = refusal(R"({"o":{"a":1,"b":2,"\u0061":3}})");
    EXPECT_EQ(offset_of(error), 18);
    EXPECT_NE(error.message.find("/o/a"), std::string::npos) << error.message;
}

TEST(JsonParse, AllowsTheSameKeyInDifferentObjects) {
    EXPECT_TRUE(parse(R"([{"a":{"a":1}},{"a":"a"},{"b":"\"a\":1"}])"));
}

TEST(JsonParse, FindsADuplicateKeyAmongManyInReasonableTime) {
    std::string text = "{\"k\\u0030\":0";
    for (int i = 1; i < 90'000; ++i) text += ",\"k" + std::to_string(i) + "\":0";
    ASSERT_TRUE(parse(text + "}"));
    EXPECT_EQ(offset_of(refusal(text + ",\"k0\":0}")), static_cast<std::int64_t>(text.size()) + 1);
}

TEST(JsonParse, RefusesANulInAStringOrKey) {
    EXPECT_EQ(offset_of(refusal(R"(["a\u0000b"])")), 3);
    EXPECT_EQ(offset_of(refusal(R"({"a\u0000":1})")), 3);
    EXPECT_EQ(offset_of(refusal(R"("\u0000\\u0000")")), 1);
    EXPECT_EQ(offset_of(refusal("[\"\\u0000" + std::string(10'000, 'x') + "\"]")), 2);
    EXPECT_EQ(offset_of(refusal(std::string_view("[\"\0\"]", 5))), 2);
    EXPECT_TRUE(parse(R"("\\u0000")"));
}

TEST(JsonParse, RefusesInvalidUtf8) {
    for (const char* text : {"\"\x80\"", "\"\xc0\x80\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"",
                             "\"\xf5\x80\x80\x80\"", "\"\xe2\x82\"", "\"\\n\xc3(\""}) {
        const Error error = refusal(text);
        EXPECT_GE(offset_of(error), 1) << error.message;
    }
    EXPECT_EQ(offset_of(refusal("{\"a\":\"\xff\"}")), 6);
    EXPECT_EQ(offset_of(refusal("\"\xe2\x82")), 3);
}

TEST(JsonParse, RefusesAnUnpairedSurrogate) {
    for (const char* text :
         {R"("\ud800")", R"("\ud800abcdefghijklm")", R"("\udc00")", R"("\uDC00 and then some")",
          R"("\ud800\n and then some")", R"("\ud800\u0041")", R"("\uDBFF\u0041 and then some")",
          R"("\ud800\ud800")"}) {
        const Error error = refusal(text);
        EXPECT_GE(offset_of(error), 1);
        EXPECT_NE(error.message.find("surrogate"), std::string::npos) << text << error.message;
    }
}

TEST(JsonParse, RefusesWhatIsNotJsonAndSaysWhere) {
    const struct {
        const char* text;
        std::int64_t offset;
    } rows[] = {
        {"", 0},           {"  ", 2},         {"{", 1},
        {"[1,]", 3},       {"{\"a\":1,}", 7}, {"[1 2]", 3},
        {"{a:1}", 1},      {"'a'", 0},        {"01", 1},
        {"+1", 0},         {"1.", 2},         {".5", 0},
        {"[1e]", 3},       {"-", 1},          {"NaN", 0},
        {"[Infinity]", 1}, {"nul", 3},        {"// x\n1", 0},
        {"\"a\nb\"", 2},   {"\"\\x41\"", 2},  {"\xef\xbb\xbf{}", 0},
        {"{\"a\"}", 4},    {"\"abc", 4},      {"[\"\\u12g4\"]", 6},
    };
    for (const auto& row : rows) EXPECT_EQ(offset_of(refusal(row.text)), row.offset) << row.text;
}

TEST(JsonParse, RefusesAnythingAfterTheValueButWhiteSpace) {
    EXPECT_EQ(offset_of(refusal("{} x")), 3);
    EXPECT_EQ(offset_of(refusal("1,")), 1);
    EXPECT_EQ(offset_of(refusal("{}{}")), 2);
    EXPECT_EQ(offset_of(refusal(std::string_view("{}\0", 3))), 2);
    EXPECT_TRUE(parse(" {} \t\r\n"));
}

TEST(JsonParse, RefusesTextThatIsNestedTooDeep) {
    EXPECT_TRUE(parse(repeated("[", 64) + repeated("]", 64)));
    EXPECT_EQ(offset_of(refusal(repeated("[", 65) + repeated("]", 65))), 64);
    EXPECT_EQ(offset_of(refusal(repeated("{\"a\":", 1'000'000))), 64 * 5);
    EXPECT_TRUE(parse("[[]]", Limits{.depth = 2}));
    EXPECT_EQ(offset_of(refusal("[[]]", Limits{.depth = 1})), 1);
    EXPECT_TRUE(parse("1", Limits{.depth = 0}));
}

TEST(JsonParse, RefusesTextWithTooManyValues) {
    EXPECT_TRUE(parse(R"([1,{"a":"b"}])", Limits{.nodes = 4}));
    EXPECT_EQ(offset_of(refusal(R"([1,{"a":"b"}])", Limits{.nodes = 2})), 3);
    EXPECT_EQ(offset_of(refusal("[1,2,3,4]", Limits{.nodes = 3})), 6);
    EXPECT_EQ(offset_of(refusal("[" + repeated("[],", 200'000) + "[]]")), 1 + 3 * 99'999);
}

}  // namespace
}  // namespace holdfast::json
