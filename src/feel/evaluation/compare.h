// Equality, order and membership in FEEL's three-valued logic.
#pragma once

#include <compare>
#include <optional>

#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// `=`. Absent: the kinds cannot be compared. null equals null and nothing else.
std::optional<bool> equal(const Value& a, const Value& b, Meter& meter);

// `<`, `<=`, `>`, `>=` on numbers, strings, dates, times and durations. Absent: no order.
std::optional<std::strong_ordering> order(const Value& a, const Value& b);

// Whether `value` lies in the range. Absent: it cannot be compared with an end, or an end is null.
std::optional<bool> includes(const Range& range, const Value& value, Meter& meter);

// `value in test`: equal to it, inside of a range, or one of the items of a list.
std::optional<bool> is_member(const Value& value, const Value& test, Meter& meter);

// The built-in `is`: the same kind, and the same in every part, zones and offsets included.
bool is_same(const Value& a, const Value& b, Meter& meter);

}  // namespace holdfast::feel
