// Values as text, as the built-in `string` returns them.
#pragma once

#include <optional>
#include <string>

#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// In FEEL notation; strings inside lists and contexts are quoted, a string by itself is not.
std::string shown(const Value& value);

// The same within `most` bytes. Absent: it is longer.
std::optional<std::string> shown_within(const Value& value, std::size_t most);

}  // namespace holdfast::feel
