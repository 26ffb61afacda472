#include "http/api.h"

namespace holdfast::http {

void add_routes(Router& router, Api& api) {
    add_health_routes(router, api);
    add_definition_routes(router, api);
    add_deploy_routes(router, api);
    add_modify_routes(router, api);
    add_migrate_routes(router, api);
    add_bulk_routes(router, api);
    add_schedule_routes(router, api);
    add_workflow_routes(router, api);
    add_state_routes(router, api);
    add_checkpoint_routes(router, api);
    add_conflict_routes(router, api);
    add_lifecycle_routes(router, api);
    add_event_routes(router, api);
    add_signal_routes(router, api);
    add_dead_event_routes(router, api);
    add_dead_letter_routes(router, api);
    add_work_routes(router, api);
    add_node_routes(router, api);
    add_wait_routes(router, api);
    add_stream_routes(router, api);
    add_result_routes(router, api);
    add_runner_routes(router, api);
    add_worker_routes(router, api);
    add_task_routes(router, api);
    add_openapi_routes(router);
}

void add_route(Router& router, Api& api, Method method, std::string pattern,
               void (*handle)(Api&, Request, Respond), Description description) {
    router.add({method, std::move(pattern), Access::guarded, std::move(description),
                [&api, handle](Request request, Respond respond) {
                    handle(api, std::move(request), std::move(respond));
                }});
}

namespace {

void respond_on(WorkerPool& pool, Respond respond, std::move_only_function<Response()> read) {
    // Shared: the request must be answered even if the full queue rejects the work.
    auto answer = std::make_shared<Respond>(std::move(respond));
    WorkerPool::WorkItem work = [answer, read = std::move(read)]() mutable { (*answer)(read()); };
    if (!pool.post(work, answer->gone()))
        (*answer)(problem(
            Error{ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

}  // namespace

void read_on_worker(Api& api, Respond respond, std::move_only_function<Response()> read) {
    respond_on(api.readers, std::move(respond), std::move(read));
}

namespace {

void list_on(WorkerPool& pool, Respond respond,
             std::move_only_function<Response(const PageBudget&)> read) {
    PageBudget budget{.stop = respond.gone()};
    respond_on(pool, std::move(respond), [budget, read = std::move(read)]() mutable {
        // Its client has left, or has ended its side and still reads.
        if (budget.stop.stop_requested()) budget.effort /= 16;
        return read(budget);
    });
}

}  // namespace

void list_on_worker(Api& api, Respond respond,
                    std::move_only_function<Response(const PageBudget&)> read) {
    list_on(api.listers, std::move(respond), std::move(read));
}

void search_on_worker(Api& api, Respond respond,
                      std::move_only_function<Response(const PageBudget&)> read) {
    list_on(api.searchers, std::move(respond), std::move(read));
}

}  // namespace holdfast::http
