// Evaluates `value.member` for every kind of value.
#pragma once

#include <string_view>

#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// An entry of a context, a property, or for a list the list of its items' members. null, with the
// reason recorded, if there is none.
Value member_of(const Value& value, std::string_view name, Meter& meter);

}  // namespace holdfast::feel
