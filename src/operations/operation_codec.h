// Operations from their JSON form: what a trace wrote can be run again.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "operations/operation.h"

namespace holdfast {

// What to_json wrote. corrupt: no operation, or one with a member that is missing or wrong.
Result<Operation> operation_from_json(const boost::json::value& value);

}  // namespace holdfast
