// What one more operation costs beside what lies in the store already.
#pragma once

#include "workloads.h"

namespace holdfast::bench {

void add_growth_flows(Workflows& node);

// W1 beside this many workflows. Runs workflows until the store has as many; `there`: how many it
// has, updated.
Rate beside_workflows(Node& node, std::size_t count, std::size_t& there);

// Events for one workflow that takes one after the other, while this many others are queued for it.
Rate beside_events(Node& node, std::size_t count);

}  // namespace holdfast::bench
