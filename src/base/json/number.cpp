#include "base/json/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "base/assert.h"

namespace holdfast::json {

namespace {

// Far beyond the range of a double or a 64-bit integer, yet sums of it do not overflow int64.
constexpr std::int64_t exponent_bound = 1'000'000'000'000;
constexpr std::uint64_t int64_min_magnitude = std::uint64_t{1} << 63;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Collects digits left to right; zeros are pending until a later digit makes them significant.
class DigitCollector {
public:
    void take(char digit) {
        if (digit == '0') {
            if (decimal_.size > 0) ++waiting_zeros_;
            return;
        }
        if (decimal_.size + waiting_zeros_ >= std::ssize(decimal_.digits)) {
            fits_ = false;
            return;
        }
        for (; waiting_zeros_ > 0; --waiting_zeros_) push('0');
        push(digit);
    }

    std::optional<Decimal> finish(bool negative, std::int64_t exponent) {
        if (!fits_) return std::nullopt;
        if (decimal_.size == 0) return Decimal{};
        decimal_.negative = negative;
        decimal_.exponent = exponent + waiting_zeros_;
        return decimal_;
    }

private:
    void push(char digit) { decimal_.digits[decimal_.size++] = digit; }

    Decimal decimal_;
    std::int64_t waiting_zeros_ = 0;
    bool fits_ = true;
};

std::int64_t exponent_in(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+')) text.remove_prefix(1);
    std::int64_t exponent = 0;
    for (const char digit : text)
        exponent = std::min(exponent * 10 + (digit - '0'), exponent_bound);
    return negative ? -exponent : exponent;
}

std::optional<Whole> in_range(bool negative, std::uint64_t magnitude) {
    if (negative && magnitude > int64_min_magnitude) return std::nullopt;
    return Whole{.negative = negative && magnitude != 0, .magnitude = magnitude};
}

// Every decimal of up to 15 digits round-trips through a normal double, so there is no need to
// print the double and compare.
bool survives_any_double(const Decimal& decimal) {
    return decimal.size <= 15 && decimal.exponent > -300 && decimal.exponent < 280;
}

}  // namespace

std::optional<Decimal> decimal_of(std::string_view literal) {
    const bool negative = literal.starts_with('-');
    DigitCollector collector;
    std::int64_t exponent = 0;
    bool in_fraction = false;
    for (std::size_t i = negative ? 1 : 0; i < literal.size(); ++i) {
        if (is_digit(literal[i])) {
            collector.take(literal[i]);
            if (in_fraction) --exponent;
        } else if (literal[i] == '.') {
            in_fraction = true;
        } else {
            exponent += exponent_in(literal.substr(i + 1));
            break;
        }
    }
    return collector.finish(negative, exponent);
}

Decimal shortest_decimal(double number) {
    HF_ASSERT(std::isfinite(number), "a JSON number is finite");
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number,
                                   std::chars_format::scientific);
    return *decimal_of({text.data(), end.ptr});
}

std::optional<Whole> whole_of(const Decimal& decimal) {
    if (decimal.exponent < 0 || decimal.size + decimal.exponent > 20) return std::nullopt;
    std::uint64_t magnitude = 0;
    for (std::int64_t i = 0; i < decimal.size + decimal.exponent; ++i) {
        const std::uint64_t digit =
            i < decimal.size ? static_cast<std::uint64_t>(decimal.digits[i] - '0') : 0;
        if (__builtin_mul_overflow(magnitude, std::uint64_t{10}, &magnitude)) return std::nullopt;
        if (__builtin_add_overflow(magnitude, digit, &magnitude)) return std::nullopt;
    }
    return in_range(decimal.negative, magnitude);
}

std::optional<Whole> whole_of(double number) {
    const bool in_bounds = number >= -0x1p63 && number < 0x1p64;
    if (!in_bounds || number != std::trunc(number)) return std::nullopt;
    return in_range(number < 0, static_cast<std::uint64_t>(std::fabs(number)));
}

std::optional<Whole> whole_of(const bj::value& number) {
    if (const double* real = number.if_double()) return whole_of(*real);
    if (const std::uint64_t* natural = number.if_uint64()) return Whole{false, *natural};
    const std::int64_t integer = number.get_int64();
    const auto bits = static_cast<std::uint64_t>(integer);
    return Whole{.negative = integer < 0, .magnitude = integer < 0 ? ~bits + 1 : bits};
}

std::optional<double> exact_double(const Decimal& decimal) {
    if (decimal.size == 0) return 0.0;
    if (decimal.exponent > 400 || decimal.exponent < -400) return std::nullopt;

    // Formatted again because the literal may have any number of zeros.
    std::array<char, 32> text;
    char* end = text.data();
    if (decimal.negative) *end++ = '-';
    end = std::ranges::copy(decimal.text(), end).out;
    *end++ = 'e';
    end = std::to_chars(end, text.data() + text.size(), decimal.exponent).ptr;

    double number = 0;
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc{}) return std::nullopt;
    if (survives_any_double(decimal) || shortest_decimal(number) == decimal) return number;
    return std::nullopt;
}

}  // namespace holdfast::json
