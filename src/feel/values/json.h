// Between FEEL values and JSON.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "feel/evaluation/budget.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// Numbers exactly, strings as strings: nothing is taken for a date.
Value from_json(const boost::json::value& json);
// Counts what it makes; null once the meter has stopped.
Value from_json(const boost::json::value& json, Meter& meter);

// Whole numbers of 64 bits as integers, others as the nearest double; dates, times, durations and
// ranges as the text that FEEL shows. refused: a function. unrepresentable: a number beyond the
// doubles.
Result<boost::json::value> to_json(const Value& value);

// The names in `json`, at any depth, that the parser has to know because they are more than one
// word.
std::vector<std::string> names_in(const boost::json::value& json);

}  // namespace holdfast::feel
