// W1 and W3 as clients over HTTP see them.
#pragma once

#include "workloads.h"

namespace holdfast::bench {

// `url` is where the node serves.
Rate run_steps_over_http(const std::string& url, const Crowd& crowd, int steps);
Rate run_events_over_http(const std::string& url, const Crowd& crowd);

}  // namespace holdfast::bench
