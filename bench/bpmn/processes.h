// The process of `bench bpmn`, and how it is run.
#pragma once

#include "holdfast/node.h"
#include "measures/rate.h"

namespace holdfast::bench {

// Deploys the process, and registers the worker of its jobs. Before the node is opened.
void add_worker(Node& node);
void deploy_processes(Node& node);

// From the start of each process to its end.
Rate run_processes(Node& node, const Callers& load);
// Starts processes of another model and waits until each waits for a message.
void leave_waiting(Node& node, std::size_t count);

}  // namespace holdfast::bench
