// Operations of different kinds submitted together, with their outcomes as one vector.
#pragma once

#include <future>
#include <vector>

#include "round/coordinator.h"

namespace holdfast::testing {

// Outcomes in submission order.
std::future<std::vector<Result<AnyOutcome>>> submit_batch(Coordinator& coordinator,
                                                          std::vector<Operation> operations);

}  // namespace holdfast::testing
