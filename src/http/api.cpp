#include "http/api.h"

#include "http/access/audit_log.h"
#include "http/access/held_to.h"
#include "http/responses/refusal_responses.h"
#include "http/responses/task_responses.h"

namespace holdfast::http {
namespace {

// Absent: the caller may know of the workflow in the path, or it has no id.
std::optional<Response> refusal_of_workflow(const TenantReads& reads, const Request& request) {
    const auto id = parse_id<InstanceId>(request.param("id"));
    if (!id) return std::nullopt;
    const auto found = reads.ask(FindRows{{&*id, 1}});
    if (!found) return problem(found.error());
    if (found->empty() || !request.identity.reaches(found->front().definition.key))
        return respond_to(op::NotFound{});
    return std::nullopt;
}

std::optional<Response> refusal_of_task(const TenantReads& reads, const Request& request) {
    const auto id = parse_id<TaskId>(request.param("task"));
    if (!id) return std::nullopt;
    const auto task = reads.ask(FindTask{*id});
    if (!task) return problem(task.error());
    if (!*task || !request.identity.reaches((*task)->definition) ||
        (is_for_own_tasks(request) && !is_own_task(**task, request.caller)))
        return respond_to(op::NoTask{});
    return std::nullopt;
}

std::optional<Response> refusal_by_look_up(const TenantReads& reads, const Request& request) {
    return request.route->description.rule.reach == Within::task
               ? refusal_of_task(reads, request)
               : refusal_of_workflow(reads, request);
}

void look_up_then(Api& api, Request request, Respond respond,
                  void (*handle)(Api&, Request, Respond)) {
    auto later = std::make_shared<Respond>(std::move(respond));
    WorkerPool::WorkItem work = [&api, later, handle, request = std::move(request)]() mutable {
        if (auto refused = refusal_by_look_up(reads_of(api, request), request))
            return (*later)(std::move(*refused));
        handle(api, std::move(request), std::move(*later));
    };
    if (!api.readers.post(work))
        (*later)(problem(
            Error{ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

}  // namespace

void add_routes(Router& router, Api& api) {
    router.tell_refusals([&api](const Request& request, const Response& response) {
        if (request.route->description.is_audited) api.audit.refused(request, response);
    });
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
    add_webhook_routes(router, api);
    add_result_routes(router, api);
    add_runner_routes(router, api);
    add_worker_routes(router, api);
    add_task_routes(router, api);
    add_key_routes(router, api);
    add_sign_in_routes(router, api);
    add_audit_routes(router, api);
    add_openapi_routes(router);
}

void add_route(Router& router, Api& api, Method method, std::string pattern,
               void (*handle)(Api&, Request, Respond), Description description) {
    router.add({method, std::move(pattern), Access::guarded, std::move(description),
                [&api, handle](Request request, Respond respond) {
                    if (request.route->description.is_audited)
                        respond = api.audit.recording(request, std::move(respond));
                    if (needs_look_up(request))
                        return look_up_then(api, std::move(request), std::move(respond), handle);
                    handle(api, std::move(request), std::move(respond));
                }});
}

Response no_share(const Shares& shares, Share what) {
    const std::string name = what == Share::stream ? "streams" : "long polls";
    Response response =
        problem(429, "too-many-open", "Too many open",
                "your credential has " + std::to_string(shares.limit(what)) + " " + name +
                    " open, which is the limit; close some, or wait until they end");
    response.headers.add("Retry-After", "1");
    return response;
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
