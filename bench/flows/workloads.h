// Common workloads for comparing workflow engines, on one node in this process.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "holdfast/node.h"

namespace holdfast::bench {

void add_flows(Workflows& node);

struct Rate {
    std::size_t done = 0;
    double seconds = 0;
    std::vector<double> latencies_ms;
    double cpu_us = 0;  // per workflow: this process and, on PostgreSQL, the database server
    std::map<std::string, double> thread_us;  // the same of the threads of this process, by name

    double per_second() const { return static_cast<double>(done) / seconds; }
};

// The number of concurrent callers, and of the workflows that they run in total.
struct Callers {
    std::size_t callers = 1;
    std::size_t workflows = 1;
};

// W1 and W2: starts workflows with that many steps and waits for their ends. One at a time blocks
// a thread; several are under way without a thread for each.
Rate run_steps(Node& node, const Callers& load, int steps);
// W3: from sending the event to a suspended workflow to its end.
// `begin` is called once all are suspended.
Rate run_events(Node& node, const Callers& load, const std::function<void()>& begin = [] {});

struct Lateness {
    std::vector<double> late_s;
    double all_done_s = 0;
};
// W4: all workflows sleep until the same moment.
Lateness run_timers(Workflows& node, std::size_t count);

// W5: starts workflows that wait for an event.
std::vector<std::string> suspend_many(Workflows& node, std::size_t count);

}  // namespace holdfast::bench
