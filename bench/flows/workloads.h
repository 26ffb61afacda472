// Common workloads for comparing workflow engines, on one node in this process.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "holdfast/node.h"
#include "measures/rate.h"

namespace holdfast::bench {

void add_flows(Workflows& node);

// W1 and W2: starts workflows with that many steps and waits for their ends. One at a time blocks
// a thread; several are under way without a thread for each.
Rate run_steps(Node& node, const Callers& load, int steps);
// W3: from sending the event to a suspended workflow to its end.
// `begin` is called once all are suspended.
Rate run_events(Node& node, const Callers& load, const std::function<void()>& begin = [] {});

struct TimersRun {
    std::vector<double> late_s;
    double all_done_s = 0;
    double armed_per_second = 0;  // from the first start to the last one that waits
};
// W4: all workflows sleep until the same moment.
TimersRun run_timers(Node& node, std::size_t count);

// W5: starts workflows that wait for an event.
std::vector<std::string> suspend_many(Workflows& node, std::size_t count);

}  // namespace holdfast::bench
