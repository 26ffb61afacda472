// A FEEL number: IEEE 754 decimal128, 34 digits, computed by Intel's decimal floating-point
// library. Always finite: a result that would not be is absent.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::feel {

enum class Rounding { half_even, half_up, half_down, up, down, floor, ceiling };

class Decimal {
public:
    constexpr Decimal() = default;
    constexpr Decimal(std::int64_t number)  // NOLINT: every integer is a decimal
        : low_(number < 0 ? 0 - static_cast<std::uint64_t>(number)
                          : static_cast<std::uint64_t>(number)),
          high_(number < 0 ? whole_number | sign_bit : whole_number) {}
    static Decimal of_unsigned(std::uint64_t number);

    // digits[.digits][e[+-]digits] with an optional minus in front; rounds past 34 digits.
    // Absent: another form, or out of range.
    static std::optional<Decimal> parse(std::string_view text);
    // The shortest decimal that reads back as the finite `number`.
    static Decimal of(double number);

    bool is_zero() const;
    bool is_negative() const { return (high_ & sign_bit) != 0 && !is_zero(); }
    bool is_integer() const;
    // Cut off toward zero. Absent: out of the range of 64 bits.
    std::optional<std::int64_t> truncated() const;
    // Absent: not integral, or out of the range of 64 bits.
    std::optional<std::int64_t> whole() const;
    double to_double() const;
    // Plain digits, trailing zeros kept; scientific notation beyond 40 digits.
    std::string text() const;

    Decimal negated() const;
    Decimal absolute() const { return is_negative() ? negated() : *this; }

    friend bool operator==(const Decimal& a, const Decimal& b) { return order(a, b) == 0; }
    friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) {
        return order(a, b) <=> 0;
    }

    friend std::optional<Decimal> add(const Decimal& a, const Decimal& b);
    friend std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
    friend std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
    friend std::optional<Decimal> divide(const Decimal& a, const Decimal& b);
    friend std::optional<Decimal> power(const Decimal& base, const Decimal& exponent);
    // dividend - divisor * floor(dividend / divisor)
    friend std::optional<Decimal> modulo(const Decimal& dividend, const Decimal& divisor);
    friend std::optional<Decimal> square_root(const Decimal& number);
    friend std::optional<Decimal> exponential(const Decimal& number);
    friend std::optional<Decimal> logarithm(const Decimal& number);
    // To `scale` digits after the point. The number is returned unchanged if 34 digits cannot hold
    // the result.
    friend Decimal rounded(const Decimal& number, int scale, Rounding rounding);

private:
    friend struct BidAccess;

    static constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
    static constexpr std::uint64_t whole_number = 0x3040000000000000;  // exponent 0

    // Small natural numbers, which need no library: exponent 0, coefficient below 2^64.
    static bool both_natural(const Decimal& a, const Decimal& b) {
        return a.high_ == whole_number && b.high_ == whole_number;
    }
    static int order(const Decimal& a, const Decimal& b) {
        if (!both_natural(a, b)) return order_by_library(a, b);
        return a.low_ < b.low_ ? -1 : a.low_ > b.low_ ? 1 : 0;
    }
    static int order_by_library(const Decimal& a, const Decimal& b);

    std::uint64_t low_ = 0;
    std::uint64_t high_ = whole_number;
};

std::optional<Decimal> add(const Decimal& a, const Decimal& b);
std::optional<Decimal> subtract(const Decimal& a, const Decimal& b);
std::optional<Decimal> multiply(const Decimal& a, const Decimal& b);
std::optional<Decimal> divide(const Decimal& a, const Decimal& b);
std::optional<Decimal> power(const Decimal& base, const Decimal& exponent);
std::optional<Decimal> modulo(const Decimal& dividend, const Decimal& divisor);
std::optional<Decimal> square_root(const Decimal& number);
std::optional<Decimal> exponential(const Decimal& number);
std::optional<Decimal> logarithm(const Decimal& number);
Decimal rounded(const Decimal& number, int scale, Rounding rounding);

}  // namespace holdfast::feel
