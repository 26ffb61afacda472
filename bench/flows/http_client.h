// W1 and W3 measured by HTTP clients.
#pragma once

#include "workloads.h"

namespace holdfast::bench {

// `url` is the address of the node.
Rate run_steps_over_http(const std::string& url, const Callers& load, int steps);
Rate run_events_over_http(const std::string& url, const Callers& load);

}  // namespace holdfast::bench
