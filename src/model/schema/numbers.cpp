#include "model/schema/numbers.h"

#include <charconv>
#include <limits>
#include <string>

#include "base/json/number.h"

namespace holdfast::schema {
namespace {

// 64 bits of mantissa hold every int64, uint64 and double.
static_assert(std::numeric_limits<long double>::digits >= 64);

long double exact(const boost::json::value& number) {
    if (number.is_int64()) return static_cast<long double>(number.get_int64());
    if (number.is_uint64()) return static_cast<long double>(number.get_uint64());
    return number.get_double();
}

json::Decimal decimal(const boost::json::value& number) {
    if (number.is_double()) return json::shortest_decimal(number.get_double());
    const std::string text = number.is_int64() ? std::to_string(number.get_int64())
                                               : std::to_string(number.get_uint64());
    return json::decimal_of(text).value_or(json::Decimal{});
}

std::uint64_t digits_of(const json::Decimal& decimal) {
    std::uint64_t digits = 0;
    std::from_chars(decimal.text().data(), decimal.text().data() + decimal.text().size(), digits);
    return digits;
}

std::uint64_t times_ten(std::uint64_t rest, std::uint64_t modulus) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(Wide{rest} * 10 % modulus);
}

}  // namespace

bool is_less(const boost::json::value& a, const boost::json::value& b) {
    return exact(a) < exact(b);
}

bool is_multiple(const boost::json::value& number, const boost::json::value& of) {
    const json::Decimal dividend = decimal(number);
    const json::Decimal divisor = decimal(of);
    if (dividend.size == 0) return true;
    // Digits have no trailing zeros: they are never a multiple of a divisor with a larger exponent.
    if (dividend.exponent < divisor.exponent) return false;
    const std::uint64_t modulus = digits_of(divisor);
    std::uint64_t rest = digits_of(dividend) % modulus;
    for (auto shift = dividend.exponent - divisor.exponent; shift > 0 && rest != 0; --shift)
        rest = times_ten(rest, modulus);
    return rest == 0;
}

}  // namespace holdfast::schema
