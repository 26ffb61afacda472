// W5: many workflows that wait. They live in a process of their own, which is killed.
#pragma once

#include <string>

namespace holdfast::bench {

double resident_mb();

struct Suspended {
    double rss_mb = 0;
    double rss_growth_mb = 0;  // over the same node with nothing to do
    double idle_cpu_us = 0;    // a second, of the node
    double serving_s = 0;      // from its start after the kill until it takes calls
    double awake_s = 0;        // and until one of them has gone on to its end
};

Suspended suspend_and_kill(const std::string& store, std::size_t count);

// What the other process does: suspends them, tells its figures on standard output, and waits.
int suspend_here(const std::string& store, std::size_t count);

}  // namespace holdfast::bench
