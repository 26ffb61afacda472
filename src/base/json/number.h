// JSON numbers as exact decimal values, independent of their notation and C++ type.
#pragma once

#include <array>
#include <boost/json/value.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace holdfast::json {

namespace bj = boost::json;

// An integer in the range of int64 or uint64. Zero is not negative.
struct Whole {
    bool negative = false;
    std::uint64_t magnitude = 0;

    bool operator==(const Whole&) const = default;
};

// `digits` times ten to the `exponent`, without leading or trailing zeros: one form per value.
// Zero has no digits. 20 digits suffice for every 64-bit integer and every shortest double.
struct Decimal {
    bool negative = false;
    std::uint8_t size = 0;
    std::array<char, 20> digits{};
    std::int64_t exponent = 0;

    std::string_view text() const { return {digits.data(), size}; }
    bool operator==(const Decimal&) const = default;
};

// The value of a JSON number literal, in linear time. Absent: more than 20 significant digits.
std::optional<Decimal> decimal_of(std::string_view literal);
// The shortest decimal that reads back as `number`, which must be finite.
Decimal shortest_decimal(double number);

// Absent: not integral, or out of the 64-bit range.
std::optional<Whole> whole_of(const Decimal& decimal);
std::optional<Whole> whole_of(double number);
// `number` must be an int64, a uint64 or a double.
std::optional<Whole> whole_of(const bj::value& number);

// The double whose shortest decimal is `decimal`; absent if there is none.
std::optional<double> exact_double(const Decimal& decimal);

}  // namespace holdfast::json
