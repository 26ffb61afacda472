// Searches for instances: one static statement, planned for the values of each call.
#pragma once

#include "store/postgres/connection/connection.h"
#include "store/query.h"

namespace holdfast::postgres {

// The parameters of search_instances. `floor`: the smallest id to scan. invalid_argument: an
// invalid cursor.
Result<Parameters> search_parameters(const InstanceQuery& query,
                                     const std::optional<InstanceId>& floor);

// One page. Without a suitable index the page scans a bounded number of rows, and may be short or
// empty although more follow.
Reply<InstancePage> search(Connection& connection, const InstanceQuery& query);

}  // namespace holdfast::postgres
