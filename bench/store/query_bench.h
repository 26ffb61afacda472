// The query workload: selective queries on a store that holds many instances.
#pragma once

#include "report.h"
#include "support/world.h"

namespace holdfast::bench {

// Fills the store up to `count` instances through the coordinator; prints progress.
void fill(testing::World& world, std::size_t count);

// Runs each kind of selective query many times with different values.
void run_queries(testing::World& world, std::size_t count, Report& report);

}  // namespace holdfast::bench
