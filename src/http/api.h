// The REST API: what its routes share, and the one function that adds them all.
#pragma once

#include <prometheus/registry.h>

#include <functional>
#include <string>

#include "base/id_source.h"
#include "base/worker_pool.h"
#include "coordinator/coordinator.h"
#include "http/problem.h"
#include "http/router.h"
#include "store/store.h"

namespace holdfast::http {

struct Api {
    Coordinator& coordinator;
    Store& store;
    IdSource& ids;
    WorkerPool& readers;  // reads block, so they leave the io threads
    prometheus::Registry& metrics;
    std::function<void()> indexes_wanted;  // called after a definition declared index paths
};

// `api` must outlive the router.
void add_routes(Router& router, Api& api);

void add_definition_routes(Router& router, Api& api);
void add_workflow_routes(Router& router, Api& api);
void add_state_routes(Router& router, Api& api);
void add_checkpoint_routes(Router& router, Api& api);
void add_conflict_routes(Router& router, Api& api);
void add_health_routes(Router& router, Api& api);

// Runs a blocking read on a worker and answers with what it returns. 429 when too many wait.
void read_on_worker(Api& api, Respond respond, std::move_only_function<Response()> read);

// A handler that may fail early: an Error becomes a problem, no value means "will be answered
// later".
using Early = Result<void>;
// `work` takes over `respond` only when it returns without an error.
template <class Work>
void answer_early(Respond respond, Work work) {
    if (const Early early = work(respond); !early) respond(problem(early.error()));
}

}  // namespace holdfast::http
