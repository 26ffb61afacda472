// The REST API: the dependencies that its routes share, and the function that registers all routes.
#pragma once

#include <prometheus/registry.h>

#include <functional>
#include <string>

#include "base/ids/id_source.h"
#include "base/threads/worker_pool.h"
#include "base/time/clock.h"
#include "http/long_poll.h"
#include "http/responses/problem.h"
#include "http/router.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast {
class Pruner;
}

namespace holdfast::http {

struct Api {
    Coordinator& coordinator;
    Store& store;
    IdSource& ids;
    const Clock& clock;
    WorkerPool& readers;  // runs blocking reads, which must not run on I/O threads
    LongPolls& polls;
    Pruner& retention;
    prometheus::Registry& metrics;
    std::function<void()> indexes_wanted;  // called after a definition declares index paths
    std::size_t queue_limit = 10'000;      // events that may be queued per target, and per name
};

// `api` must outlive the router.
void add_routes(Router& router, Api& api);

void add_definition_routes(Router& router, Api& api);
void add_workflow_routes(Router& router, Api& api);
void add_state_routes(Router& router, Api& api);
void add_checkpoint_routes(Router& router, Api& api);
void add_conflict_routes(Router& router, Api& api);
void add_lifecycle_routes(Router& router, Api& api);
void add_event_routes(Router& router, Api& api);
void add_dead_event_routes(Router& router, Api& api);
void add_dead_letter_routes(Router& router, Api& api);
void add_node_routes(Router& router, Api& api);
void add_wait_routes(Router& router, Api& api);
void add_result_routes(Router& router, Api& api);
void add_runner_routes(Router& router, Api& api);
void add_task_routes(Router& router, Api& api);
void add_health_routes(Router& router, Api& api);

// A guarded route.
void add_route(Router& router, Api& api, Method method, std::string pattern,
               void (*handle)(Api&, Request, Respond));

// Runs a blocking read on a worker thread and sends its response. 429 if the queue is full.
void read_on_worker(Api& api, Respond respond, std::move_only_function<Response()> read);

// The synchronous part of a handler: an Error becomes a problem response; success means that the
// response is sent later.
using Early = Result<void>;
// `work` may move from `respond` only if it returns without an error.
template <class Work>
void answer_early(Respond respond, Work work) {
    if (const Early early = work(respond); !early) respond(problem(early.error()));
}

// Submits the operation and sends the response that `answer` makes from its outcome.
template <class Op, class Answer>
void submit(Api& api, Result<Op> op, Respond respond, Answer answer) {
    if (!op) return respond(problem(op.error()));
    api.coordinator.submit(*std::move(op), [respond = std::move(respond),
                                            answer](Result<typename Op::Outcome> outcome) mutable {
        if (!outcome) return respond(problem(outcome.error()));
        respond(std::visit(answer, *outcome));
    });
}

}  // namespace holdfast::http
