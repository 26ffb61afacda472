// The narrow raw limit: the rows of a workflow with one step, in two group commits of 256, with
// plain SQL.
#pragma once

#include "support/world.h"

namespace holdfast::bench {

double raw_workflows_per_second(const testing::StorePlace& place);
// The median of commits of one narrow row, one at a time.
double raw_commit_ms(const testing::StorePlace& place);

}  // namespace holdfast::bench
