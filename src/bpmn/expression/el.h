// Camunda 7's expression language (`${...}`), as far as it is found in models: paths, comparisons,
// logic, arithmetic, literals, `empty`, conditions and a few methods of strings and lists.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::bpmn {

// FEEL text for what is inside of `${` and `}`. invalid_argument says what cannot be translated;
// its context has the `offset`.
Result<std::string> feel_from_el(std::string_view text);

// FEEL's notation of a string.
std::string feel_string(std::string_view text);

}  // namespace holdfast::bpmn
