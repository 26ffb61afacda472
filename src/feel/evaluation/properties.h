// The properties of values other than contexts: the year of a date, the start of a range.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "feel/values/value.h"

namespace holdfast::feel {

// Every property of every kind, for the parser.
std::span<const std::string_view> all_properties();

// Absent: values of this kind have no such property. null: they have, but this value does not.
std::optional<Value> property_of(const Value& value, std::string_view name);

}  // namespace holdfast::feel
