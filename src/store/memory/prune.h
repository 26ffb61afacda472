// What retention deletes from a memory store.
#pragma once

#include "store/memory/tables.h"

namespace holdfast::memory {

// By the time in tables.latest.
Pruned prune(Tables& tables, const Prune& prune);
TrimmedHistories trim_histories(Tables& tables, const TrimHistories& trim);
StalePage find_stale(const Tables& tables, const FindStale& query);
bool is_held(const Tables& tables, const HostLock& lock);

}  // namespace holdfast::memory
