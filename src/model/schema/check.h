// Validates values against compiled rules within a step budget.
#pragma once

#include <vector>

#include "model/schema/rule.h"
#include "model/schema/state_schema.h"

namespace holdfast::schema {

// At most `most` violations; empty: the value is valid. A value that exceeds the step budget (a few
// million) gets a single violation.
std::vector<SchemaViolation> check(const Program& program, const bj::value& value,
                                   std::size_t most);

}  // namespace holdfast::schema
