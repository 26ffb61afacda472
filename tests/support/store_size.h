// The size of a store on disk, and sleeping instances that are written past the engine.
#pragma once

#include "support/world.h"

namespace holdfast::testing {

double mebibytes_of(const StorePlace& place);
// A benchmark is shorter than a pause of PostgreSQL's vacuum; nothing on SQLite.
void vacuum_often(const StorePlace& place);
// Suspended instances that changed just now. The store must be closed.
void add_sleepers(const StorePlace& place, std::size_t count);

}  // namespace holdfast::testing
