// Reads which version a workflow is to have, and what its elements are there.
#pragma once

#include "http/input/input.h"
#include "operations/state/migrate.h"

namespace holdfast::http {

// `to`, `mapping` and `reason`.
Result<void> read_migration(const boost::json::object& body, op::Migrate& migrate);

}  // namespace holdfast::http
