// Checks the registered flows against the journals of open workflows. Reads only.
#pragma once

#include "holdfast/workflows.h"
#include "node/runner.h"

namespace holdfast {

// Throws Unavailable: the store cannot be read.
std::vector<Divergence> check_flows(Reads& store, const Runner& runner);

}  // namespace holdfast
