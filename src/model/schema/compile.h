// Compiles a JSON Schema (draft 7) to rules; refuses one that cannot be checked in bounded time.
#pragma once

#include <memory>

#include "base/result.h"
#include "model/schema/rule.h"

namespace holdfast::schema {

// invalid_argument, with `path` into the schema: a keyword of the wrong form, another draft, a
// remote or dangling reference, a schema that applies itself to the same value, a pattern that RE2
// cannot compile (lookaround, back references), too many schemas or patterns. `format` and unknown
// keywords are annotations.
Result<std::unique_ptr<const Program>> compile(const bj::value& document);

}  // namespace holdfast::schema
