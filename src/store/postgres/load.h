// The first trip of a round: begins its transaction, locks its instances in one sorted pass, loads
// the rest.
#pragma once

#include "store/postgres/connection.h"
#include "store/postgres/definition_cache.h"
#include "store/read_set.h"
#include "store/view.h"

namespace holdfast::postgres {

// On success the transaction is open and holds the locks. One trip; a second one only for
// definition versions that this process has not read before.
Reply<Loaded> load(Connection& connection, const ReadSet& reads, DefinitionCache& cache);

}  // namespace holdfast::postgres
