// Searches for instances: one static statement, planned for the values of each query.
#pragma once

#include "store/postgres/connection/connection.h"
#include "store/query.h"

namespace holdfast::postgres {

// The parameters of search_instances. `floor`: the smallest id to look at. invalid_argument: not
// our cursor.
Result<Parameters> search_parameters(const InstanceQuery& query,
                                     const std::optional<InstanceId>& floor);

// One page. Where no index serves the query, the page looks at a bounded number of rows and may be
// short or empty although more follow.
Reply<InstancePage> search(Connection& connection, const InstanceQuery& query);

}  // namespace holdfast::postgres
