// The REST API: the dependencies that its routes share, and the function that registers all routes.
#pragma once

#include <prometheus/registry.h>

#include <functional>
#include <string>

#include "base/ids/id_source.h"
#include "base/threads/one_at_a_time.h"
#include "base/threads/worker_pool.h"
#include "base/time/clock.h"
#include "http/access/key_ring.h"
#include "http/change_streams.h"
#include "http/long_poll.h"
#include "http/responses/problem.h"
#include "http/router.h"
#include "http/webhooks/webhook_rules.h"
#include "round/coordinator.h"
#include "store/store.h"
#include "store/tenant_reads.h"

namespace holdfast {
class Pruner;
}

namespace holdfast::http {

class AuditLog;
class Sessions;

struct Api {
    Coordinator& coordinator;
    Store& store;
    IdSource& ids;
    const Clock& clock;
    WorkerPool& readers;    // runs blocking reads by key, which must not run on I/O threads
    WorkerPool& listers;    // runs lists of rows: they take longer and must not delay the others
    WorkerPool& searchers;  // runs lists that read documents: they take longest
    LongPolls& polls;
    ChangeStreams& streams;
    Pruner& retention;
    KeyRing& keys;
    const WebhookRules& webhooks;
    Sessions& sessions;
    Shares& shares;
    AuditLog& audit;
    prometheus::Registry& metrics;
    std::function<void()> indexes_wanted;  // called after a definition declares index paths
    std::size_t queue_limit = 10'000;      // events that may be queued per target, and per name
    std::size_t queue_bytes = std::size_t{64} << 20;  // likewise, of their values
    std::uint32_t most_attempts = 5;  // of workers, before a workflow is a dead letter
    // Models that are being compiled or wait for it.
    OneAtATime models{
        [this](OneAtATime::Work work) { return coordinator.compute(std::move(work)); }, 8};
};

// 429: its credential has as many open as it may have.
Response no_share(const Shares& shares, Share what);

// What the caller of a request can read.
inline TenantReads reads_of(const Api& api, const Request& request) {
    return {api.store, request.caller};
}

// `api` must outlive the router.
void add_routes(Router& router, Api& api);

void add_definition_routes(Router& router, Api& api);
void add_deploy_routes(Router& router, Api& api);
void add_modify_routes(Router& router, Api& api);
void add_migrate_routes(Router& router, Api& api);
void add_bulk_routes(Router& router, Api& api);
void add_schedule_routes(Router& router, Api& api);
void add_workflow_routes(Router& router, Api& api);
void add_state_routes(Router& router, Api& api);
void add_checkpoint_routes(Router& router, Api& api);
void add_conflict_routes(Router& router, Api& api);
void add_lifecycle_routes(Router& router, Api& api);
void add_event_routes(Router& router, Api& api);
void add_signal_routes(Router& router, Api& api);
void add_dead_event_routes(Router& router, Api& api);
void add_dead_letter_routes(Router& router, Api& api);
void add_work_routes(Router& router, Api& api);
void add_node_routes(Router& router, Api& api);
void add_wait_routes(Router& router, Api& api);
void add_stream_routes(Router& router, Api& api);
void add_webhook_routes(Router& router, Api& api);
void add_result_routes(Router& router, Api& api);
void add_runner_routes(Router& router, Api& api);
void add_worker_routes(Router& router, Api& api);
void add_task_routes(Router& router, Api& api);
void add_key_routes(Router& router, Api& api);
void add_sign_in_routes(Router& router, Api& api);
void add_audit_routes(Router& router, Api& api);
void add_health_routes(Router& router, Api& api);
void add_openapi_routes(Router& router);

// A guarded route. What the caller may not know of is answered as if it did not exist.
void add_route(Router& router, Api& api, Method method, std::string pattern,
               void (*handle)(Api&, Request, Respond), Description description);

// Runs a blocking read by key on a worker thread and sends its response. 429 if the queue is full.
void read_on_worker(Api& api, Respond respond, std::move_only_function<Response()> read);
// The same for a page of a list; its budget ends with its client.
void list_on_worker(Api& api, Respond respond,
                    std::move_only_function<Response(const PageBudget&)> read);
// The same for a page that reads documents or values, which may cost its whole budget.
void search_on_worker(Api& api, Respond respond,
                      std::move_only_function<Response(const PageBudget&)> read);

// The synchronous part of a handler: an Error becomes a problem response; success means that the
// response is sent later.
using Early = Result<void>;
// `work` may move from `respond` only if it returns without an error.
template <class Work>
void answer_early(Respond respond, Work work) {
    if (const Early early = work(respond); !early) respond(problem(early.error()));
}

// Of the documents in an outcome, which its response repeats.
template <class Outcome>
std::size_t document_bytes(const Outcome& outcome) {
    if constexpr (requires { outcome.instance.state.text(); })
        return outcome.instance.state.text().size() + outcome.instance.state_metadata.text().size();
    else if constexpr (requires { outcome.state.text(); })
        return outcome.state.text().size();
    else
        return 0;
}

// Sends the response that `answer` makes from an operation's outcome. It is made where it is
// written, not on the thread that commits.
template <class Outcome, class Answer>
Callback<Outcome> answering(Respond respond, Answer answer) {
    return [respond = std::move(respond),
            answer = std::move(answer)](Result<Outcome> outcome) mutable {
        const std::size_t bytes =
            outcome ? std::visit([](const auto& one) { return document_bytes(one); }, *outcome) : 0;
        respond.later(
            [outcome = std::move(outcome), answer = std::move(answer)] {
                return outcome ? std::visit(answer, *outcome) : problem(outcome.error());
            },
            response_size(bytes));
    };
}

// Submits the operation and responds with its outcome.
template <class Op, class Answer>
void submit(Api& api, Result<Op> op, Respond respond, Answer answer) {
    if (!op) return respond(problem(op.error()));
    api.coordinator.submit(*std::move(op),
                           answering<typename Op::Outcome>(std::move(respond), std::move(answer)));
}

}  // namespace holdfast::http
