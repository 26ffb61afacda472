#include "feel/evaluation/arithmetic.h"

#include <concepts>

namespace holdfast::feel {
namespace {

std::string_view shown(Operator sign) {
    switch (sign) {
        case Operator::add: return "+";
        case Operator::subtract: return "-";
        case Operator::multiply: return "*";
        case Operator::divide: return "/";
        default: return "**";
    }
}

// An absent result is out of range.
template <class T>
Value or_null(const std::optional<T>& result, Meter& meter) {
    if (!result) return meter.fail("the result is out of range");
    return *result;
}

Value on_numbers(Operator sign, const Decimal& a, const Decimal& b, Meter& meter) {
    switch (sign) {
        case Operator::add: return or_null(add(a, b), meter);
        case Operator::subtract: return or_null(subtract(a, b), meter);
        case Operator::multiply: return or_null(multiply(a, b), meter);
        case Operator::divide:
            if (b.is_zero()) return meter.fail("division by zero");
            return or_null(divide(a, b), meter);
        default: return or_null(power(a, b), meter);
    }
}

Value concatenated(const Text& a, const Text& b, Meter& meter) {
    const std::size_t size = a.size() + b.size();
    if (!meter.read(size) || !meter.allocate(size)) return Null{};
    std::string text;
    text.reserve(size);
    text += a.view();
    text += b.view();
    return Text(text);
}

template <class Duration>
std::optional<Duration> of_length(const std::optional<Decimal>& length) {
    if (!length) return std::nullopt;
    if constexpr (std::same_as<Duration, Seconds>) return Seconds::of(*length);
    const auto count = length->truncated();
    if (!count || *count == INT64_MIN) return std::nullopt;
    if constexpr (std::same_as<Duration, Months>) return Months{*count};
}

Decimal length(Months duration) { return duration.count; }
Decimal length(Seconds duration) { return duration.decimal(); }

// Durations of one kind, and numbers.
template <class Duration>
std::optional<Value> on_durations(Operator sign, const Value& left, const Value& right,
                                  Meter& meter) {
    const auto* a = left.get<Duration>();
    const auto* b = right.get<Duration>();
    const auto* number = a ? right.get<Decimal>() : left.get<Decimal>();
    if (a && b) {
        if (sign == Operator::add) return or_null(add(*a, *b), meter);
        if (sign == Operator::subtract) {
            const auto minus = negated(*b);
            return or_null(minus ? add(*a, *minus) : std::nullopt, meter);
        }
        if (sign != Operator::divide) return std::nullopt;
        if (length(*b).is_zero()) return meter.fail("division by zero");
        return or_null(divide(length(*a), length(*b)), meter);
    }
    if (!number || !(a || b)) return std::nullopt;
    const Duration duration = a ? *a : *b;
    if (sign == Operator::multiply)
        return or_null(of_length<Duration>(multiply(length(duration), *number)), meter);
    if (sign != Operator::divide || !a) return std::nullopt;
    if (number->is_zero()) return meter.fail("division by zero");
    return or_null(of_length<Duration>(divide(length(duration), *number)), meter);
}

// A date, time or date and time, moved by a duration.
std::optional<Value> moved(const Value& from, const Value& by, Operator sign, Meter& meter) {
    const auto* months = by.get<Months>();
    const auto* seconds = by.get<Seconds>();
    if (!months && !seconds) return std::nullopt;
    const bool back = sign == Operator::subtract;
    const auto far = months && back ? negated(*months)
                     : months       ? std::optional(*months)
                                    : std::optional<Months>();
    const auto long_time = seconds && back ? negated(*seconds)
                           : seconds       ? std::optional(*seconds)
                                           : std::optional<Seconds>();
    if (!far && !long_time) return or_null(std::optional<Months>(), meter);
    if (const auto* date = from.get<Date>())
        return or_null(far ? add(*date, *far) : add(*date, *long_time), meter);
    if (const auto* moment = from.get<DateTime>())
        return or_null(far ? add(*moment, *far) : add(*moment, *long_time), meter);
    if (const auto* time = from.get<Time>(); time && long_time) return add(*time, *long_time);
    return std::nullopt;
}

std::optional<DateTime> as_moment(const Value& value) {
    if (const auto* date = value.get<Date>()) return midnight(*date);
    if (const auto* moment = value.get<DateTime>()) return *moment;
    return std::nullopt;
}

// The time between two dates, date-times or times.
std::optional<Value> elapsed(const Value& left, const Value& right, Meter& meter) {
    std::optional<Seconds> result;
    if (const auto* a = left.get<Time>()) {
        const auto* b = right.get<Time>();
        if (!b) return std::nullopt;
        result = subtract(*a, *b);
    } else {
        const auto first = as_moment(left);
        const auto second = as_moment(right);
        if (!first || !second) return std::nullopt;
        result = subtract(*first, *second);
    }
    if (!result) return meter.fail("only one of the two has a time zone or offset");
    return *result;
}

std::optional<Value> on_times(Operator sign, const Value& left, const Value& right, Meter& meter) {
    if (auto result = on_durations<Months>(sign, left, right, meter)) return result;
    if (auto result = on_durations<Seconds>(sign, left, right, meter)) return result;
    if (sign != Operator::add && sign != Operator::subtract) return std::nullopt;
    if (auto result = moved(left, right, sign, meter)) return result;
    if (sign == Operator::add) return moved(right, left, sign, meter);
    return elapsed(left, right, meter);
}

}  // namespace

Value computed(Operator sign, const Value& left, const Value& right, Meter& meter) {
    const auto* a = left.get<Decimal>();
    const auto* b = right.get<Decimal>();
    if (a && b) return on_numbers(sign, *a, *b, meter);
    const auto* text = left.get<Text>();
    if (text && right.get<Text>() && sign == Operator::add)
        return concatenated(*text, *right.get<Text>(), meter);
    if (auto result = on_times(sign, left, right, meter)) return *std::move(result);
    return meter.fail(
        {name_of(left.kind()), " ", shown(sign), " ", name_of(right.kind()), " is not defined"});
}

Value negated(const Value& value, Meter& meter) {
    if (const auto* number = value.get<Decimal>()) return number->negated();
    if (const auto* months = value.get<Months>()) return or_null(negated(*months), meter);
    if (const auto* seconds = value.get<Seconds>()) return or_null(negated(*seconds), meter);
    return meter.fail({"cannot negate a ", name_of(value.kind())});
}

}  // namespace holdfast::feel
