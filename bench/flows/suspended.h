// W5: many suspended workflows, in a separate process that is killed.
#pragma once

#include <string>

namespace holdfast::bench {

double resident_mb();

struct Suspended {
    double rss_mb = 0;
    double rss_growth_mb = 0;  // compared with the same node without them
    double idle_cpu_us = 0;    // per second, of the idle node
    double serving_s = 0;      // from the restart after the kill until the node accepts calls
    double awake_s = 0;        // from the restart until one workflow has ended
};

Suspended suspend_and_kill(const std::string& store, std::size_t count);

// Runs in the other process: suspends the workflows, prints its figures to standard output, and
// waits to be killed.
int suspend_here(const std::string& store, std::size_t count);

}  // namespace holdfast::bench
