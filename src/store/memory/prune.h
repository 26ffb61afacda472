// What retention deletes from a memory store.
#pragma once

#include "store/memory/tables.h"

namespace holdfast::memory {

// By the time in tables.latest.
Pruned prune(Tables& tables, const Prune& prune);

}  // namespace holdfast::memory
