#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"

namespace holdfast::feel {
namespace {

constexpr std::int64_t least_scale = -6111;
constexpr std::int64_t most_scale = 6176;

Value round(Call& call, Rounding rounding) {
    const auto scale = call.has(1) ? call.number(1).truncated() : std::optional<std::int64_t>(0);
    if (!scale || *scale < least_scale || *scale > most_scale)
        return call.fail("the scale must be between -6111 and 6176");
    return rounded(call.number(0), static_cast<int>(*scale), rounding);
}

template <Rounding rounding>
Value round_to(Call& call) {
    return round(call, rounding);
}

Value absolute(Call& call) {
    const Value& value = call[0];
    if (const auto* number = value.get<Decimal>()) return number->absolute();
    if (const auto* months = value.get<Months>())
        return months->count < 0 ? *negated(*months) : *months;
    if (const auto* seconds = value.get<Seconds>())
        return seconds->count < 0 ? negated(*seconds).value_or(*seconds) : *seconds;
    return call.fail("abs() needs a number or a duration");
}

Value remainder(Call& call) {
    if (call.number(1).is_zero()) return call.fail("division by zero");
    return or_null(call, modulo(call.number(0), call.number(1)));
}

Value root(Call& call) {
    if (call.number(0).is_negative()) return call.fail("sqrt() of a negative number");
    return or_null(call, square_root(call.number(0)));
}

Value log(Call& call) {
    if (call.number(0) <= Decimal(0)) return call.fail("log() needs a number above 0");
    return or_null(call, logarithm(call.number(0)));
}

Value exp(Call& call) { return or_null(call, exponential(call.number(0))); }

// Absent: not a whole number.
std::optional<bool> is_odd(const Decimal& number) {
    if (!number.is_integer()) return std::nullopt;
    const auto last = modulo(number, Decimal(2));
    if (!last) return std::nullopt;
    return !last->is_zero();
}

Value odd(Call& call) {
    const auto result = is_odd(call.number(0));
    return result.value_or(false);
}

Value even(Call& call) {
    const auto result = is_odd(call.number(0));
    return result ? !*result : false;
}

constexpr Parameter n = {"n", Want::number};
constexpr Parameter number = {"number", Want::number};
constexpr Parameter scale = {"scale", Want::number};

constexpr Builtin numeric_rows[] = {
    {"decimal",
     {n, scale},
     round_to<Rounding::half_even>,
     "Rounded to a number of digits after the point, halves to the even digit",
     "decimal(1/3, 2)"},
    {"floor", {n}, round_to<Rounding::floor>, "The next whole number below", "floor(-1.5)"},
    {"floor", {n, scale}, round_to<Rounding::floor>, "Rounded down", "floor(1.56, 1)"},
    {"ceiling", {n}, round_to<Rounding::ceiling>, "The next whole number above", "ceiling(-1.5)"},
    {"ceiling", {n, scale}, round_to<Rounding::ceiling>, "Rounded up", "ceiling(1.51, 1)"},
    {"round up", {n, scale}, round_to<Rounding::up>, "Rounded away from zero", "round up(5.51, 1)"},
    {"round down",
     {n, scale},
     round_to<Rounding::down>,
     "Rounded toward zero",
     "round down(-5.59, 1)"},
    {"round half up",
     {n, scale},
     round_to<Rounding::half_up>,
     "Rounded to the nearest, halves away from zero",
     "round half up(5.5, 0)"},
    {"round half down",
     {n, scale},
     round_to<Rounding::half_down>,
     "Rounded to the nearest, halves toward zero",
     "round half down(5.5, 0)"},
    {"abs", {{"n", Want::value}}, absolute, "The absolute value, of durations too", "abs(-10)"},
    {"modulo",
     {{"dividend", Want::number}, {"divisor", Want::number}},
     remainder,
     "The remainder of a division, with the sign of the divisor",
     "modulo(-12, 5)"},
    {"sqrt", {number}, root, "The square root", "sqrt(16)"},
    {"log", {number}, log, "The natural logarithm", "decimal(log(10), 8)"},
    {"exp", {number}, exp, "Euler's number to this power", "decimal(exp(5), 8)"},
    {"odd", {number}, odd, "Whether a whole number is odd", "odd(5)"},
    {"even", {number}, even, "Whether a whole number is even", "even(5)"},
};

}  // namespace

std::span<const Builtin> numeric_builtins() { return numeric_rows; }

}  // namespace holdfast::feel
