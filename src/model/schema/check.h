// Checks values against compiled rules, within a budget of steps.
#pragma once

#include <vector>

#include "model/schema/rule.h"
#include "model/schema/state_schema.h"

namespace holdfast::schema {

// At most `most` violations; empty: the value is valid. A value that takes more steps than the
// budget (a few million) is refused with a single violation.
std::vector<SchemaViolation> check(const Program& program, const bj::value& value,
                                   std::size_t most);

}  // namespace holdfast::schema
