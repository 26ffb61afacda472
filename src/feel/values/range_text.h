// Parses a range, for the built-in `range`.
#pragma once

#include <string_view>

#include "feel/evaluation/evaluator.h"

namespace holdfast::feel {

// The ends are literals, or date(), time(), date and time() or duration() of one. null, with the
// reason recorded, for anything else.
Value range_of_text(std::string_view text, Evaluator& evaluator);

}  // namespace holdfast::feel
