// Conversion between FEEL values and JSON.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// Numbers are exact; strings stay strings, even if they look like dates.
Value from_json(const boost::json::value& json);
// Counts the memory of the new values; null once the meter has stopped.
Value from_json(const boost::json::value& json, Meter& meter);

// Whole numbers of 64 bits as integers, others as the nearest double; dates, times, durations and
// ranges as text in FEEL notation. refused: a function. unrepresentable: a number outside the range
// of doubles.
Result<boost::json::value> to_json(const Value& value);

// The names in `json`, at any depth, that the parser has to know because they are not single words.
std::vector<std::string> names_in(const boost::json::value& json);

}  // namespace holdfast::feel
