// Deletes one batch of what retention no longer keeps.
#pragma once

#include "store/postgres/connection/connection.h"
#include "store/pruning.h"

namespace holdfast::postgres {

Reply<Pruned> prune(Connection& connection, const Prune& prune);
// Of open instances: trims one page of their histories, finds stale ones.
Reply<TrimmedHistories> trim_histories(Connection& connection, const TrimHistories& trim);
Reply<StalePage> find_stale(Connection& connection, const FindStale& query);

}  // namespace holdfast::postgres
