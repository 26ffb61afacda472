#include "feel/values/decimal.h"

// The library's variant without global state: rounding and flags are arguments.
#define DECIMAL_CALL_BY_REFERENCE 0
#define DECIMAL_GLOBAL_ROUNDING 0
#define DECIMAL_GLOBAL_EXCEPTION_FLAGS 0
#include <bid_conf.h>
#include <bid_functions.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/assert.h"
#include "feel/values/utf8.h"
#include "feel/values/wide.h"

namespace holdfast::feel {

struct BidAccess {
    static BID_UINT128 raw(const Decimal& number) {
        BID_UINT128 raw;
        raw.w[0] = number.low_;
        raw.w[1] = number.high_;
        return raw;
    }
    static Decimal decimal(BID_UINT128 raw) {
        Decimal number;
        number.low_ = raw.w[0];
        number.high_ = raw.w[1];
        return number;
    }
};

namespace {

constexpr unsigned half_even = 0;
constexpr unsigned toward_negative = 1;
constexpr unsigned toward_positive = 2;
constexpr unsigned toward_zero = 3;
constexpr unsigned half_away = 4;
constexpr std::size_t longest_literal = 4096;
constexpr int most_plain_digits = 40;

BID_UINT128 raw(const Decimal& number) { return BidAccess::raw(number); }

std::optional<Decimal> finite(BID_UINT128 result) {
    if (!bid128_isFinite(result)) return std::nullopt;
    return BidAccess::decimal(result);
}

// sign * coefficient * 10^exponent
struct Parts {
    bool negative;
    UnsignedWide coefficient;
    int exponent;
};

Parts parts_of(const Decimal& number) {
    const BID_UINT128 bits = raw(number);
    const auto high = bits.w[1] & 0x0001FFFFFFFFFFFF;
    return {.negative = (bits.w[1] >> 63) != 0,
            .coefficient = (static_cast<UnsignedWide>(high) << 64) | bits.w[0],
            .exponent = static_cast<int>((bits.w[1] >> 49) & 0x3FFF) - 6176};
}

std::string digits_of(UnsignedWide coefficient) {
    std::string digits;
    do {
        digits += static_cast<char>('0' + static_cast<int>(coefficient % 10));
        coefficient /= 10;
    } while (coefficient != 0);
    std::ranges::reverse(digits);
    return digits;
}

// How many digits `text` begins with.
std::size_t digits_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

bool is_literal(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const std::size_t whole = digits_in(text);
    text.remove_prefix(whole);
    std::size_t fraction = 0;
    if (text.starts_with('.')) {
        fraction = digits_in(text.substr(1));
        text.remove_prefix(fraction + 1);
        if (fraction == 0) return false;
    }
    if (whole + fraction == 0) return false;
    if (text.empty()) return true;
    if (text[0] != 'e' && text[0] != 'E') return false;
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && digits_in(text) == text.size();
}

Decimal ten_to(int exponent) {
    _IDEC_flags flags = 0;
    return BidAccess::decimal(bid128_scalbn(raw(Decimal(1)), exponent, half_even, &flags));
}

// The library has no "half down": `cut` is truncated; the remainder decides.
Decimal rounded_half_down(const Decimal& number, const Decimal& cut, int scale) {
    const auto remainder = subtract(number.absolute(), cut.absolute());
    const auto half = divide(ten_to(-scale), Decimal(2));
    if (!remainder || !half || *remainder <= *half) return cut;
    const auto away =
        number.is_negative() ? subtract(cut, ten_to(-scale)) : add(cut, ten_to(-scale));
    return away.value_or(cut);
}

unsigned mode_of(Rounding rounding, const Decimal& number) {
    switch (rounding) {
        case Rounding::half_even: return half_even;
        case Rounding::half_up: return half_away;
        case Rounding::up: return number.is_negative() ? toward_negative : toward_positive;
        case Rounding::floor: return toward_negative;
        case Rounding::ceiling: return toward_positive;
        case Rounding::half_down:
        case Rounding::down: break;
    }
    return toward_zero;
}

}  // namespace

Decimal Decimal::of_unsigned(std::uint64_t number) {
    Decimal decimal;
    decimal.low_ = number;
    return decimal;
}

std::optional<Decimal> Decimal::parse(std::string_view text) {
    if (text.size() > longest_literal || !is_literal(text)) return std::nullopt;
    if (text.size() <= 18 && digits_in(text) == text.size()) {
        std::int64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return Decimal(number);
    }
    std::string copy(text);
    _IDEC_flags flags = 0;
    return finite(bid128_from_string(copy.data(), half_even, &flags));
}

Decimal Decimal::of(double number) {
    std::array<char, 40> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    const auto decimal = parse({text.data(), end.ptr});
    HF_ASSERT(decimal.has_value(), "a double in a scope is finite");
    return *decimal;
}

bool Decimal::is_zero() const { return bid128_isZero(raw(*this)) != 0; }

bool Decimal::is_integer() const {
    if (high_ == whole_number) return true;
    _IDEC_flags flags = 0;
    const BID_UINT128 cut = bid128_round_integral_zero(raw(*this), &flags);
    return bid128_quiet_equal(cut, raw(*this), &flags) != 0;
}

std::optional<std::int64_t> Decimal::truncated() const {
    if (high_ == whole_number && low_ <= INT64_MAX) return static_cast<std::int64_t>(low_);
    _IDEC_flags flags = 0;
    const std::int64_t number = bid128_to_int64_int(raw(*this), &flags);
    if (flags & BID_INVALID_EXCEPTION) return std::nullopt;
    return number;
}

std::optional<std::int64_t> Decimal::whole() const {
    if (!is_integer()) return std::nullopt;
    return truncated();
}

double Decimal::to_double() const {
    _IDEC_flags flags = 0;
    return bid128_to_binary64(raw(*this), half_even, &flags);
}

std::string Decimal::text() const {
    const Parts parts = parts_of(*this);
    std::string digits = digits_of(parts.coefficient);
    const auto size = static_cast<int>(digits.size());
    if (parts.coefficient == 0 && parts.exponent >= -most_plain_digits) {
        digits = "0" + (parts.exponent < 0 ? "." + std::string(-parts.exponent, '0') : "");
        return digits;
    }
    const int point = size + parts.exponent;  // position of the point in the digits
    if (point > most_plain_digits || point < -most_plain_digits) {
        if (size > 1) digits.insert(1, ".");
        digits += "E" + std::to_string(point - 1);
    } else if (parts.exponent >= 0) {
        digits.append(parts.exponent, '0');
    } else if (point > 0) {
        digits.insert(point, ".");
    } else {
        digits.insert(0, "0." + std::string(-point, '0'));
    }
    return parts.negative && parts.coefficient != 0 ? "-" + digits : digits;
}

Decimal Decimal::negated() const {
    if (is_zero()) return *this;
    Decimal number = *this;
    number.high_ ^= sign_bit;
    return number;
}

int Decimal::order_by_library(const Decimal& a, const Decimal& b) {
    _IDEC_flags flags = 0;
    if (bid128_quiet_less(raw(a), raw(b), &flags)) return -1;
    return bid128_quiet_equal(raw(a), raw(b), &flags) ? 0 : 1;
}

std::optional<Decimal> add(const Decimal& a, const Decimal& b) {
    std::uint64_t sum = 0;
    if (Decimal::both_natural(a, b) && !__builtin_add_overflow(a.low_, b.low_, &sum))
        return Decimal::of_unsigned(sum);
    _IDEC_flags flags = 0;
    return finite(bid128_add(raw(a), raw(b), half_even, &flags));
}

std::optional<Decimal> subtract(const Decimal& a, const Decimal& b) {
    if (Decimal::both_natural(a, b) && a.low_ >= b.low_)
        return Decimal::of_unsigned(a.low_ - b.low_);
    _IDEC_flags flags = 0;
    return finite(bid128_sub(raw(a), raw(b), half_even, &flags));
}

std::optional<Decimal> multiply(const Decimal& a, const Decimal& b) {
    std::uint64_t product = 0;
    if (Decimal::both_natural(a, b) && !__builtin_mul_overflow(a.low_, b.low_, &product))
        return Decimal::of_unsigned(product);
    _IDEC_flags flags = 0;
    return finite(bid128_mul(raw(a), raw(b), half_even, &flags));
}

std::optional<Decimal> divide(const Decimal& a, const Decimal& b) {
    _IDEC_flags flags = 0;
    return finite(bid128_div(raw(a), raw(b), half_even, &flags));
}

std::optional<Decimal> power(const Decimal& base, const Decimal& exponent) {
    _IDEC_flags flags = 0;
    return finite(bid128_pow(raw(base), raw(exponent), half_even, &flags));
}

std::optional<Decimal> modulo(const Decimal& dividend, const Decimal& divisor) {
    if (divisor.is_zero()) return std::nullopt;
    _IDEC_flags flags = 0;
    const auto left = finite(bid128_fmod(raw(dividend), raw(divisor), &flags));
    if (!left || left->is_zero()) return left;
    return left->is_negative() == divisor.is_negative() ? left : add(*left, divisor);
}

std::optional<Decimal> square_root(const Decimal& number) {
    _IDEC_flags flags = 0;
    return finite(bid128_sqrt(raw(number), half_even, &flags));
}

std::optional<Decimal> exponential(const Decimal& number) {
    _IDEC_flags flags = 0;
    return finite(bid128_exp(raw(number), half_even, &flags));
}

std::optional<Decimal> logarithm(const Decimal& number) {
    _IDEC_flags flags = 0;
    return finite(bid128_log(raw(number), half_even, &flags));
}

Decimal rounded(const Decimal& number, int scale, Rounding rounding) {
    _IDEC_flags flags = 0;
    const auto result = finite(
        bid128_quantize(raw(number), raw(ten_to(-scale)), mode_of(rounding, number), &flags));
    if (!result || (flags & BID_INVALID_EXCEPTION)) return number;
    return rounding == Rounding::half_down ? rounded_half_down(number, *result, scale) : *result;
}

}  // namespace holdfast::feel
