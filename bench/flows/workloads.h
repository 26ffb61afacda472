// The workloads that workflow engines are compared by, on one node in this process.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "holdfast/node.h"

namespace holdfast::bench {

void add_flows(Workflows& node);

struct Rate {
    std::size_t done = 0;
    double seconds = 0;
    std::vector<double> latencies_ms;
    double cpu_us = 0;  // of this process and, on PostgreSQL, of the server's, for each workflow

    double per_second() const { return static_cast<double>(done) / seconds; }
};

// How many callers there are, and how many workflows they run in all.
struct Crowd {
    std::size_t callers = 1;
    std::size_t workflows = 1;
};

// W1 and W2: start and wait for the end, each with that many steps.
Rate run_steps(Workflows& node, const Crowd& crowd, int steps);
// W3: the workflows wait already; from sending the event to the end.
Rate run_events(Workflows& node, const Crowd& crowd);

struct Lateness {
    std::vector<double> late_s;
    double all_done_s = 0;
};
// W4: all sleep until the same moment.
Lateness run_timers(Workflows& node, std::size_t count);

// W5: starts workflows that wait for an event.
std::vector<std::string> suspend_many(Workflows& node, std::size_t count);

}  // namespace holdfast::bench
