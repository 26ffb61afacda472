// /api/v1/tasks: list, show, claim, release, assign, delegate, complete, fail, cancel; and
// POST /api/v1/workflows/{id}/tasks for outside runners (000.12, 004.8)
#include <boost/json.hpp>
#include <charconv>

#include "http/access/held_to.h"
#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/etag.h"
#include "http/input/input.h"
#include "http/input/task_input.h"
#include "http/responses/refusal_responses.h"
#include "http/responses/task_responses.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

std::string task_path(const std::string& id) { return "/api/v1/tasks/" + id; }

Response respond_to(const op::TaskCreated& created) {
    Response response = task_response(201, created.task);
    response.headers.add("Location", task_path(to_string(created.task.id)));
    return response;
}

Response respond_to_recorded_task(const op::AlreadyRecorded& recorded) {
    bj::object body{{"outcome", "alreadyRecorded"}, {"index", recorded.step.index}};
    body["task"] = recorded.step.value.value();
    Response response = json_response(200, body);
    if (body["task"].is_string())
        response.headers.add("Location", task_path(std::string(body["task"].as_string())));
    return response;
}

Response respond_to(const op::Diverged& diverged) {
    return problem(409, "diverged", "Diverged",
                   "the journal has another step or task at this index, so the runner's program "
                   "has changed since; the workflow is unchanged",
                   {{"index", diverged.step.index}, {"expected", diverged.step.name}});
}

constexpr auto answer_task = [](const auto& one) {
    if constexpr (std::is_same_v<decltype(one), const op::AlreadyRecorded&>)
        return respond_to_recorded_task(one);
    else
        return respond_to(one);
};

void list_tasks(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_task_list(request));
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request), list = std::move(list),
                        only_own = is_for_own_tasks(request),
                        caller = request.caller](const PageBudget& budget) mutable {
                           list.query.budget = budget;
                           const auto page = reads.ask(list.query);
                           if (!page) return problem(page.error());
                           bj::array items;
                           for (const HumanTask& task : page->items)
                               if (!only_own || is_own_task(task, caller))
                                   items.push_back(to_json(task));
                           bj::object body{{"items", std::move(items)}};
                           body["nextCursor"] = nullptr;
                           if (page->next)
                               body["nextCursor"] =
                                   make_cursor(to_string(*page->next), list.filters);
                           return json_response(200, body);
                       });
        return {};
    });
}

void get_task(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_task_id(request));
        read_on_worker(api, std::move(later),
                       [reads = reads_of(api, request), id, headers = std::move(request.headers)] {
                           const auto task = reads.ask(FindTask{id});
                           if (!task) return problem(task.error());
                           if (!*task) return respond_to(op::NoTask{});
                           if (!none_match_names(headers, etag_of((*task)->version)))
                               return task_response(200, **task);
                           Response unchanged{.status = 304};
                           unchanged.headers.add("ETag", etag_of((*task)->version));
                           return unchanged;
                       });
        return {};
    });
}

Result<TaskEventQuery> read_task_event_list(const Request& request) {
    TaskEventQuery query;
    HF_TRY(query.task, read_task_id(request));
    query.limit = number_of(request, "limit");
    const auto cursor = request.query_value("cursor");
    if (!cursor) return query;
    HF_TRY(const auto position, read_cursor(*cursor, to_string(query.task)));
    const char* end = position.data() + position.size();
    const auto [stop, error] = std::from_chars(position.data(), end, query.from);
    if (error != std::errc{} || stop != end || query.from > (Version{1} << 62))
        return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    return query;
}

Response task_events_response(const TenantReads& reads, const TaskEventQuery& query) {
    const auto page = reads.ask(query);
    if (!page) return problem(page.error());
    if (page->items.empty() && query.from == 1) return respond_to(op::NoTask{});
    bj::array items;
    for (const TaskEvent& event : page->items) items.push_back(to_json(event));
    bj::object body{{"items", std::move(items)}, {"nextCursor", nullptr}};
    if (page->next)
        body["nextCursor"] = make_cursor(std::to_string(*page->next), to_string(query.task));
    return json_response(200, body);
}

void get_task_events(Api& api, Request request, Respond respond) {
    auto query = read_task_event_list(request);
    if (!query) return respond(problem(query.error()));
    list_on_worker(
        api, std::move(respond),
        [reads = reads_of(api, request), query = *query](const PageBudget& budget) mutable {
            query.budget = budget;
            return task_events_response(reads, query);
        });
}

void create_task(Api& api, Request request, Respond respond) {
    submit(api, read_create_task(request, api.ids), std::move(respond), answer_task);
}

// The part that all changes share; they read their own members from `body`.
template <class Op>
Result<Op> read_change(const Request& request, IdSource& ids,
                       std::initializer_list<std::string_view> known, bj::object& body) {
    Op op;
    HF_TRY(op.task, read_task_id(request));
    HF_TRY(body, read_object(request, known));
    HF_TRY(auto match, parse_if_match(request.headers, Presence::required));
    op.expected = match->version;
    HF_TRY(op.cause, read_cause(request, ids));
    HF_TRY(op.cause.caller, read_actor(request, body));
    HF_TRY(op.client_key, read_client_key(request));
    return op;
}

Result<op::ClaimTask> read_claim(const Request& request, IdSource& ids) {
    bj::object body;
    return read_change<op::ClaimTask>(request, ids, {"user", "groups"}, body);
}

Result<op::ReleaseTask> read_release_task(const Request& request, IdSource& ids) {
    bj::object body;
    return read_change<op::ReleaseTask>(request, ids, {"user", "groups"}, body);
}

Result<op::AssignTask> read_assign(const Request& request, IdSource& ids) {
    bj::object body;
    HF_TRY(auto assign,
           read_change<op::AssignTask>(request, ids, {"user", "groups", "assignee"}, body));
    if (!body.contains("assignee"))
        return fail(ErrorCode::invalid_argument,
                    "'assignee' is required: a user, or null to unassign the task");
    HF_TRY(assign.assignee, read_who(body, "assignee"));
    return assign;
}

Result<op::DelegateTask> read_delegate(const Request& request, IdSource& ids) {
    bj::object body;
    HF_TRY(auto delegate,
           read_change<op::DelegateTask>(request, ids, {"user", "groups", "to"}, body));
    HF_TRY(auto to, read_who(body, "to"));
    if (!to) return fail(ErrorCode::invalid_argument, "'to' is required: the user to delegate to");
    delegate.to = *std::move(to);
    return delegate;
}

Result<op::CompleteTask> read_complete_task(const Request& request, IdSource& ids) {
    bj::object body;
    HF_TRY(auto complete,
           read_change<op::CompleteTask>(request, ids, {"user", "groups", "outputs"}, body));
    HF_TRY(auto outputs, read_document(body, "outputs"));
    complete.outputs = std::move(outputs).value_or(Document{});
    return complete;
}

Result<op::FailTask> read_fail_task(const Request& request, IdSource& ids) {
    bj::object body;
    HF_TRY(auto failing,
           read_change<op::FailTask>(request, ids, {"user", "groups", "error"}, body));
    failing.error = read_value(body, "error");
    return failing;
}

Result<op::CancelTask> read_cancel_task(const Request& request, IdSource& ids) {
    bj::object body;
    return read_change<op::CancelTask>(request, ids, {"user", "groups"}, body);
}

// The operation needs the task's instance, which never changes, so it is looked up first.
template <auto read>
void change_task(Api& api, Request request, Respond respond) {
    auto op = read(request, api.ids);
    if (!op) return respond(problem(op.error()));
    // Shared: the request must be answered even if the full queue rejects the work.
    auto later = std::make_shared<Respond>(std::move(respond));
    WorkerPool::WorkItem work = [&api, reads = reads_of(api, request), later,
                                 op = *std::move(op)]() mutable {
        const auto task = reads.ask(FindTask{op.task});
        if (!task) return (*later)(problem(task.error()));
        if (!*task) return (*later)(respond_to(op::NoTask{}));
        op.instance = (*task)->instance;
        using Op = decltype(op);
        submit(api, Result<Op>(std::move(op)), std::move(*later), answer_task);
    };
    if (!api.readers.post(work))
        (*later)(problem(
            Error{ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

}  // namespace

namespace {

Description task_list_description() {
    return Description("listTasks", task_readers.within(Within::filter),
                       "Lists tasks that match every filter.")
        .query({"assignee", "The assignee."})
        .query({"holder", "Who has claimed the task."})
        .query({"candidate", "A user who may claim it."})
        .query({"group", "A group that may claim it."})
        .query({"definition", "The key of the definition."})
        .query({"businessKey", "The key of the business reference."})
        .query({"queue", "The queue."})
        .query({"workflow", "The id of the workflow.", AnyText{"uuid"}})
        .query({"state", "`open`, or states separated by commas."})
        .query({"dueBefore", "Due before this time.", AnyText{"date-time"}})
        .page(50, 500)
        .query({"businessPart.NAME", "A part of the business reference; repeatable by name."})
        .answer(200, "A page of tasks.", "TaskPage");
}

Description task_events_description() {
    return Description("listTaskEvents", task_readers.within(Within::task),
                       "Lists the changes of a task, the oldest first.")
        .page(100, 1'000)
        .answer(200, "A page of changes.", "TaskEventPage")
        .problems({"no-such-task"});
}

Description task_create_description() {
    return Description("createTask", runners.within(Within::workflow),
                       "Creates a task for a workflow of a runner.")
        .repeatable()
        .body("CreateTaskRequest")
        .answer(201, "It is created.", "Task", {"ETag", "Location"})
        .answer(200, "It was created before.", "RecordedTask", {"Location"})
        .problems({"not-found", "overtaken", "diverged", "ended", "quarantined"});
}

Description task_change_description(const char* id, Rule rule, const char* summary,
                                    const char* body,
                                    std::initializer_list<std::string_view> problems) {
    return Description(id, rule.within(Within::task), summary)
        .if_match(Presence::required)
        .repeatable()
        .body(body)
        .answer(200, "The task after it.", "Task", {"ETag"})
        .problems({"no-such-task", "stale-version", "task-ended", "quarantined"})
        .problems(problems);
}

void add_task_changes(Router& router, Api& api) {
    const std::string base = "/api/v1/tasks";
    add_route(router, api, Method::post, base + "/{task}/claim", change_task<read_claim>,
              task_change_description("claimTask", task_users, "A candidate claims a task.",
                                      "ActorRequest", {"task-held", "not-a-candidate"}));
    add_route(router, api, Method::post, base + "/{task}/release", change_task<read_release_task>,
              task_change_description("releaseTask", task_users, "The holder gives a task back.",
                                      "ActorRequest", {"not-the-holder"}));
    add_route(router, api, Method::post, base + "/{task}/assign", change_task<read_assign>,
              task_change_description("assignTask", operators, "Names another assignee.",
                                      "AssignRequest", {"task-held"}));
    add_route(router, api, Method::post, base + "/{task}/delegate", change_task<read_delegate>,
              task_change_description("delegateTask", task_users,
                                      "The holder gives a task to another user.", "DelegateRequest",
                                      {"task-held", "not-the-holder"}));
    add_route(
        router, api, Method::post, base + "/{task}/complete", change_task<read_complete_task>,
        task_change_description("completeTask", task_users, "The holder completes a task.",
                                "CompleteTaskRequest", {"not-the-holder", "missing-outputs"}));
    add_route(
        router, api, Method::post, base + "/{task}/fail", change_task<read_fail_task>,
        task_change_description("failTask", task_users, "The holder ends a task with an error.",
                                "FailTaskRequest", {"not-the-holder"}));
    add_route(router, api, Method::post, base + "/{task}/cancel", change_task<read_cancel_task>,
              task_change_description("cancelTask", operators, "Ends a task without a result.",
                                      "ActorRequest", {}));
}

}  // namespace

void add_task_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/tasks";
    add_route(router, api, Method::get, base, list_tasks, task_list_description());
    add_route(router, api, Method::get, base + "/{task}", get_task,
              Description("getTask", task_readers.within(Within::task), "Shows a task.")
                  .if_none_match()
                  .answer(200, "The task.", "Task", {"ETag"})
                  .problems({"no-such-task"}));
    add_route(router, api, Method::get, base + "/{task}/events", get_task_events,
              task_events_description());
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/tasks", create_task,
              task_create_description());
    add_task_changes(router, api);
}

}  // namespace holdfast::http
