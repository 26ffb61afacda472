// Values of programs as JSON and back: the same as Boost.JSON's own conversion.
#include "holdfast/values.h"

#include <gtest/gtest.h>

#include <boost/describe.hpp>
#include <boost/json/serialize.hpp>
#include <limits>
#include <optional>

namespace holdfast::flow {
namespace {

struct Line {
    std::string text;
    std::optional<int> count;
};
BOOST_DESCRIBE_STRUCT(Line, (), (text, count))

struct Letter {
    bool sent = false;
    double weight = 0;
    std::uint64_t number = 0;
    Line first;
    std::vector<Line> lines;
    Json extra;
};
BOOST_DESCRIBE_STRUCT(Letter, (), (sent, weight, number, first, lines, extra))

// Described, and with a conversion of its own, which wins.
struct Celsius {
    int degrees = 0;
};
BOOST_DESCRIBE_STRUCT(Celsius, (), (degrees))
void tag_invoke(boost::json::value_from_tag, Json& value, const Celsius& from) {
    value = std::to_string(from.degrees) + " C";
}
Celsius tag_invoke(boost::json::value_to_tag<Celsius>, const Json& value) {
    return {std::stoi(std::string(value.as_string()))};
}

struct Nowhere final : Place {
    std::string text() const override { return "nowhere"; }
};

template <class T>
void expect_round_trip(const T& value) {
    const Json stored = to_value(value);
    EXPECT_EQ(stored, boost::json::value_from(value)) << boost::json::serialize(stored);
    EXPECT_EQ(to_value(from_value<T>(stored, Nowhere())), stored);
}

TEST(Values, AreConvertedAsBoostJsonDoes) {
    expect_round_trip(true);
    expect_round_trip(short{-3});
    expect_round_trip(std::numeric_limits<std::uint64_t>::max());
    expect_round_trip(std::numeric_limits<long long>::min());
    expect_round_trip(0.1F);
    expect_round_trip(-0.0);
    expect_round_trip(std::string("a\0b", 3));
    expect_round_trip(std::vector<Line>{{"x", 1}, {"y", std::nullopt}});
    expect_round_trip(Letter{.sent = true,
                             .weight = 1.5,
                             .number = 7,
                             .first = {"x", 2},
                             .lines = {{"y", std::nullopt}},
                             .extra = boost::json::array{1, "two"}});
}

TEST(Values, AConversionOfTheProgramWins) {
    EXPECT_EQ(to_value(Celsius{20}), "20 C");
    EXPECT_EQ(from_value<Celsius>("20 C", Nowhere()).degrees, 20);
}

// What Boost.JSON refuses is refused.
TEST(Values, ANumberOutOfRangeIsRefused) {
    EXPECT_THROW(from_value<short>(70'000, Nowhere()), Misuse);
    EXPECT_THROW(from_value<unsigned>(-1, Nowhere()), Misuse);
    EXPECT_THROW(from_value<int>(1.5, Nowhere()), Misuse);
    EXPECT_THROW(from_value<bool>(1, Nowhere()), Misuse);
}

}  // namespace
}  // namespace holdfast::flow
