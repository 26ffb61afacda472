// What `value.member` means for every kind of value.
#pragma once

#include <string_view>

#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// An entry of a context, a property, or for a list what each of its items has. null with the reason
// noted where there is none.
Value member_of(const Value& value, std::string_view name, Meter& meter);

}  // namespace holdfast::feel
