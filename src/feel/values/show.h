// Values as text: what the built-in `string` gives.
#pragma once

#include <optional>
#include <string>

#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// As FEEL would write it; strings inside of lists and contexts in quotes, a string itself bare.
std::string shown(const Value& value);

// The same within `most` bytes. Absent: it is longer.
std::optional<std::string> shown_within(const Value& value, std::size_t most);

}  // namespace holdfast::feel
