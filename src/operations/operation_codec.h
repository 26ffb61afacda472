// Parses operations from JSON, so that a trace can be replayed.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "operations/operation.h"

namespace holdfast {

// The inverse of to_json. corrupt: not an operation, or a member is missing or invalid.
Result<Operation> operation_from_json(const boost::json::value& value);

}  // namespace holdfast
