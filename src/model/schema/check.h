// Validates values against compiled rules within a limit of effort.
#pragma once

#include <vector>

#include "base/effort.h"
#include "model/schema/rule.h"
#include "model/schema/state_schema.h"

namespace holdfast::schema {

// At most `most` violations; empty: the value is valid. If the effort is exhausted, a single
// violation says so. Matching a text counts with the size of the pattern's program, before it
// begins: RE2 may need that much, and cannot be interrupted.
std::vector<SchemaViolation> check(const Program& program, const bj::value& value, std::size_t most,
                                   Effort& effort);

}  // namespace holdfast::schema
