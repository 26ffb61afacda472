// POST and GET /api/v1/workflows, GET and DELETE /api/v1/workflows/{id}, cancel, release, history
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/etag.h"
#include "http/input/input.h"
#include "http/input/list_query.h"
#include "http/responses/refusal_responses.h"
#include "http/responses/why.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

Response created(const Instance& instance) {
    Response response = versioned(201, instance.version, to_json(instance));
    response.headers.add("Location", "/api/v1/workflows/" + to_string(instance.id));
    return response;
}

Response respond_to(const op::Started& started) { return created(started.instance); }

Response respond_to(const op::StartedBefore& before) {
    return versioned(200, before.instance.version, to_json(before.instance));
}

Response respond_to(const op::BusinessKeyTaken& taken) {
    const std::string id = to_string(taken.instance);
    return problem(409, "business-key-taken", "The business key is taken",
                   "workflow " + id + " has this business key and is " +
                       std::string(name_of(taken.status)) + "; nothing was started",
                   {{"workflow", id}, {"workflowStatus", name_of(taken.status)}});
}

Response respond_to(const op::UnknownDefinition& unknown) {
    return problem(404, "unknown-definition", "Not found",
                   "there is no definition '" + unknown.key +
                       "'; create it with PUT /api/v1/definitions/" + unknown.key);
}

Response respond_to(const op::NotStartable& refused) {
    return problem(409, "not-startable", "Started by events only",
                   "'" + refused.key +
                       "' has no start event without a trigger: send the event that starts it");
}

Response respond_to(const op::Cancelled& cancelled) {
    const bool unwinding = is_open(cancelled.status);
    boost::json::object body{{"id", to_string(cancelled.before.id)},
                             {"version", cancelled.version},
                             {"status", name_of(cancelled.status)},
                             {"cancelled", true}};
    if (unwinding) body["unwinding"] = true;
    return versioned(unwinding ? 202 : 200, cancelled.version, body);
}

Response respond_to(const op::Cleared&) { return {.status = 204}; }

Response respond_to(const op::NothingToClear&) { return respond_to(op::NotFound{}); }

Response respond_to(const op::Released& released) {
    return versioned(
        200, released.version,
        {{"version", released.version}, {"state", released.state.value()}, {"quarantined", false}});
}

Response respond_to(const op::NotQuarantined& fine) {
    return problem(409, "not-quarantined", "Not quarantined", "this workflow is not quarantined",
                   {{"currentVersion", fine.version}});
}

Response respond_to(const op::StillCorrupt& corrupt) {
    if (corrupt.row)
        return problem(409, "quarantined", "Quarantined",
                       "the stored row fails its checksum, so it may be another workflow's: repair "
                       "the database, its indexes first",
                       {{"currentVersion", corrupt.version}});
    return problem(
        409, "quarantined", "Quarantined",
        "the stored state still fails its checksum; repair it in the database, or send the "
        "repaired {\"state\": ..., \"stateMetadata\": ...} with this request",
        {{"currentVersion", corrupt.version}});
}

template <class Outcome>
Callback<Outcome> answering(Respond respond) {
    return http::answering<Outcome>(std::move(respond),
                                    [](const auto& one) { return respond_to(one); });
}

// The arguments of the program, in order.
Result<Document> read_arguments(const bj::object& body) {
    const bj::value* arguments = body.if_contains("arguments");
    if (!arguments || arguments->is_null()) return Document::of(bj::array{});
    if (!arguments->is_array())
        return fail(ErrorCode::invalid_argument,
                    "'arguments' must be a list: the program's arguments, in order");
    return Document::of(*arguments);
}

// What others under the same business key mean for the start.
Result<void> read_policies(const bj::object& body, op::Start& start) {
    HF_TRY(const auto on_open, read_text(body, "onOpen"));
    HF_TRY(const auto on_closed, read_text(body, "onClosed"));
    const auto open = op::parse_on_open(on_open.value_or("start"));
    if (!open)
        return fail(ErrorCode::invalid_argument,
                    "'onOpen' must be start, reject, existing or cancel");
    const auto closed = op::parse_on_closed(on_closed.value_or("start"));
    if (!closed)
        return fail(ErrorCode::invalid_argument,
                    "'onClosed' must be start, reject or afterFailure");
    start.on_open = *open;
    start.on_closed = *closed;
    const bool wants_key = *open != op::OnOpen::start || *closed != op::OnClosed::start;
    if (wants_key && start.business.key.empty())
        return fail(ErrorCode::invalid_argument,
                    "'onOpen' and 'onClosed' need a business key: give businessKey");
    return {};
}

Result<op::Start> read_start(const Request& request, IdSource& ids) {
    op::Start start;
    HF_TRY(start.cause, read_cause(request, ids));
    HF_TRY(start.client_key, read_client_key(request));
    HF_TRY(auto body,
           read_object(request, {"definition", "businessReference", "businessKey", "state",
                                 "stateMetadata", "arguments", "onOpen", "onClosed", "priority"}));
    HF_TRY(auto definition, read_text(body, "definition"));
    HF_TRY(start.definition, read_own_key(definition.value_or(""), "'definition'"));
    HF_TRY(auto business, read_business(body));
    start.business = business.value_or(BusinessReference{});
    HF_CHECK(read_policies(body, start));
    HF_TRY(const auto priority, read_number(body, "priority"));
    start.priority = priority.value_or(0);
    if (start.priority > highest_priority)
        return fail(ErrorCode::invalid_argument,
                    "'priority' must be 0 to 9: a higher one gets its turn earlier");
    HF_TRY(auto state, read_document(body, "state"));
    start.state = state.value_or(Document{});
    HF_TRY(auto metadata, read_document(body, "stateMetadata"));
    start.state_metadata = metadata.value_or(Document{});
    HF_TRY(start.arguments, read_arguments(body));
    return start;
}

void post_workflow(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto start, read_start(request, api.ids));
        if (!request.identity.reaches(start.definition)) {
            later(respond_to(op::UnknownDefinition{start.definition}));
            return {};
        }
        api.coordinator.submit(std::move(start), answering<op::Start::Outcome>(std::move(later)));
        return {};
    });
}

// A read that finds a failed checksum reports the instance as quarantined and stores the flag.
void quarantine_if_corrupt(Api& api, FoundInstance& found) {
    if (!found.corrupt || found.instance.quarantined) return;
    api.coordinator.submit(op::Quarantine{.cause = Cause::of_engine(api.ids.next<OperationId>()),
                                          .instance = found.instance.id},
                           [](Result<op::Quarantine::Outcome>) {});
    found.instance.quarantined = true;
}

// The document, and why the workflow stands where it does. That changes without the version: the
// ETag serves to change the workflow, not to ask again.
Response explained(Api& api, const TenantReads& reads, const Identity& identity,
                   const InstanceId& id) {
    auto found = reads.ask(FindInstance{id, Depth::document});
    if (!found) return problem(found.error());
    if (!*found) return respond_to(op::NotFound{});
    quarantine_if_corrupt(api, **found);
    const Instance& instance = (*found)->instance;
    auto why = why_of(api.store, reads, identity, instance);
    if (!why) return problem(why.error());
    bj::object body = to_json(instance);
    if (const auto& task = (*found)->active_task) body["activeTask"] = to_string(*task);
    body["why"] = *std::move(why);
    Response response = json_response(200, body);
    response.headers.add("ETag", etag_of(instance, (*found)->active_task));
    return response;
}

void get_workflow(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_instance_id(request));
        if (request.query_value("include")) {
            read_on_worker(api, std::move(later),
                           [&api, reads = reads_of(api, request), identity = request.identity, id] {
                               return explained(api, reads, identity, id);
                           });
            return {};
        }
        read_on_worker(
            api, std::move(later),
            [&api, reads = reads_of(api, request), id, headers = std::move(request.headers)] {
                auto found = reads.ask(FindInstance{id, Depth::document});
                if (!found) return problem(found.error());
                if (!*found) return respond_to(op::NotFound{});
                quarantine_if_corrupt(api, **found);
                const Instance& instance = (*found)->instance;
                const auto& task = (*found)->active_task;
                const std::string etag = etag_of(instance, task);
                Response response{.status = 304};
                if (!none_match_names(headers, etag)) {
                    bj::object body = to_json(instance);
                    if (task) body["activeTask"] = to_string(*task);
                    response = json_response(200, body);
                }
                response.headers.add("ETag", etag);
                return response;
            });
        return {};
    });
}

Response workflows_response(Api& api, const TenantReads& reads, const ListQuery& list) {
    auto page = reads.ask(list.query);
    if (!page) return problem(page.error());
    bj::array items;
    for (FoundInstance& found : page->items) {
        quarantine_if_corrupt(api, found);
        items.push_back(list.query.content == PageContent::documents ? to_json(found.instance)
                                                                     : row_json(found.instance));
    }
    bj::object body{{"items", std::move(items)}};
    body["nextCursor"] = nullptr;
    if (page->next) body["nextCursor"] = make_cursor(*page->next, list.filters);
    if (page->scanned) body["scanned"] = true;
    if (page->partial) body["partial"] = true;
    return json_response(200, body);
}

void list_workflows(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_list_query(request));
        const auto run = list.query.may_take_long() ? search_on_worker : list_on_worker;
        run(api, std::move(later),
            [&api, reads = reads_of(api, request),
             list = std::move(list)](const PageBudget& budget) mutable {
                list.query.budget = budget;
                return workflows_response(api, reads, list);
            });
        return {};
    });
}

void delete_workflow(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_instance_id(request));
        HF_TRY(auto match, parse_if_match(request.headers, Presence::required));
        HF_TRY(auto cause, read_cause(request, api.ids));
        api.coordinator.submit(
            op::Clear{.cause = std::move(cause), .instance = id, .expected = match->version},
            answering<op::Clear::Outcome>(std::move(later)));
        return {};
    });
}

Result<op::Cancel> read_cancel(const Request& request, IdSource& ids) {
    op::Cancel cancel;
    HF_TRY(cancel.instance, read_instance_id(request));
    HF_TRY(auto match, parse_if_match(request.headers, Presence::optional));
    if (match) cancel.expected = match->version;
    HF_TRY(cancel.cause, read_cause(request, ids));
    HF_TRY(cancel.client_key, read_client_key(request));
    HF_TRY(auto body, read_object(request, {"reason"}, EmptyBody::allowed));
    HF_TRY(auto reason, read_line(body, "reason"));
    cancel.reason = reason.value_or("");
    return cancel;
}

// Cancelling an ended workflow is not a conflict: the response says cancelled: false.
template <class Outcome>
Response respond_to_cancel(const InstanceId& id, const Outcome& outcome) {
    if constexpr (std::same_as<Outcome, op::Ended>)
        return versioned(200, outcome.version,
                         {{"id", to_string(id)},
                          {"version", outcome.version},
                          {"status", name_of(outcome.status)},
                          {"cancelled", false}});
    else
        return respond_to(outcome);
}

void cancel_workflow(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto cancel, read_cancel(request, api.ids));
        const InstanceId id = cancel.instance;
        submit(api, Result<op::Cancel>(std::move(cancel)), std::move(later),
               [id](const auto& one) { return respond_to_cancel(id, one); });
        return {};
    });
}

Result<op::Release> read_release(const Request& request, IdSource& ids) {
    op::Release release;
    HF_TRY(release.instance, read_instance_id(request));
    HF_TRY(release.cause, read_cause(request, ids));
    HF_TRY(release.client_key, read_client_key(request));
    HF_TRY(auto body, read_object(request, {"state", "stateMetadata"}, EmptyBody::allowed));
    HF_TRY(release.state, read_document(body, "state"));
    HF_TRY(release.state_metadata, read_document(body, "stateMetadata"));
    return release;
}

void release_workflow(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto release, read_release(request, api.ids));
        api.coordinator.submit(std::move(release),
                               answering<op::Release::Outcome>(std::move(later)));
        return {};
    });
}

void get_history(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_instance_id(request));
        const Version from = number_of(request, "from");
        const std::size_t limit = number_of(request, "limit");
        search_on_worker(api, std::move(later),
                         [reads = reads_of(api, request), id, from, limit](const PageBudget&) {
                             const auto page = reads.ask(HistoryQuery{id, from, limit});
                             if (!page) return problem(page.error());
                             if (page->items.empty() && !page->anchor && from <= 1)
                                 return respond_to(op::NotFound{});
                             bj::array items;
                             for (const HistoryRow& row : page->items)
                                 items.push_back(to_json(row));
                             bj::object body{{"items", std::move(items)}};
                             body["nextFrom"] = nullptr;
                             if (page->next) body["nextFrom"] = *page->next;
                             if (page->anchor)
                                 body["trimmed"] = {{"version", page->anchor->version},
                                                    {"hash", to_hex(page->anchor->hash)},
                                                    {"at", to_iso8601(page->anchor->at)}};
                             return json_response(200, body);
                         });
        return {};
    });
}

}  // namespace

namespace {

Description workflow_list_description() {
    return Description("listWorkflows", readers.within(Within::filter),
                       "Lists workflows that match every filter, the newest first.")
        .query(
            {"only",
             "`incident`, `paused`, `quarantined`, `retrying` (a step is tried again) or `stuck` "
             "(open, with an incident or quarantined); several separated by commas: all hold."})
        .query({"parent", "The id of the workflow that started it.", AnyText{"uuid"}})
        .query({"idPrefix", "How its id begins, at least 8 characters."})
        .query({"startedBy", "The user who started it."})
        .query({"waitsFor", "The name of an event that it waits for."})
        .query({"dueBefore", "A timer of it is due before this time.", AnyText{"date-time"}})
        .query({"order", "By creation.", Choice{{"newest", "oldest"}}, "newest or oldest"})
        .query({"updatedFrom", "Not changed before this time.", AnyText{"date-time"}})
        .query({"updatedBefore", "Not changed since this time.", AnyText{"date-time"}})
        .query({"status", "`open`, or statuses separated by commas."})
        .query({"definition", "The key of the definition."})
        .query({"businessKey", "The key of the business reference."})
        .query({"businessPart.NAME", "A part of the business reference; repeatable by name."})
        .query({"contains", "JSON that the state contains."})
        .query({"metaContains", "JSON that the state's metadata contains."})
        .query({"path.A.B", "The value at a dotted path of the state; at most four."})
        .query({"createdFrom", "Not created before this time.", AnyText{"date-time"}})
        .query({"createdBefore", "Created before this time.", AnyText{"date-time"}})
        .query({"include", "`state`: every item has state and stateMetadata.", Choice{{"state"}},
                "state: then every item has state and stateMetadata"})
        .page(50, 500)
        .answer(200, "A page of workflows.", "WorkflowPage")
        .problems({"malformed-json", "number-not-exact"});
}

Description cancel_workflow_description() {
    return Description("cancelWorkflow", operators.within(Within::workflow),
                       "Cancels a workflow; one that has ended is left as it is.")
        .if_match(Presence::optional)
        .repeatable()
        .body("CancelRequest", Presence::optional)
        .answer(200, "It is cancelled, or had ended.", "Cancellation", {"ETag"})
        .answer(202, "It undoes its steps first.", "Cancellation", {"ETag"})
        .problems({"not-found", "stale-version", "quarantined"});
}

Description release_workflow_description() {
    return Description("releaseWorkflow", operators.within(Within::workflow),
                       "Ends the quarantine of a workflow.")
        .audited()
        .repeatable()
        .body("ReleaseRequest", Presence::optional)
        .answer(200, "It can change again.", "Release", {"ETag"})
        .problems({"not-found", "not-quarantined", "quarantined", "invalid-state"});
}

Description history_description() {
    return Description("getHistory", readers.within(Within::workflow),
                       "Lists the changes of a workflow, the oldest first.")
        .query({"from", "The first version.", WholeNumber{0, std::uint64_t{1} << 62, 1},
                "a version number, for example from=1"})
        .query({"limit", "How many items the page has at most.", WholeNumber{1, 1'000, 100}})
        .answer(200, "A page of the history.", "HistoryPage")
        .problems({"not-found"});
}

}  // namespace

void add_workflow_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/workflows";
    add_route(router, api, Method::post, base, post_workflow,
              Description("startWorkflow", operators.within(Within::handler),
                          "Starts a workflow of a definition.")
                  .repeatable()
                  .body("StartRequest")
                  .answer(201, "It is started.", "Workflow", {"ETag", "Location"})
                  .answer(200, "`onOpen` is `existing`: the open one.", "Workflow", {"ETag"})
                  .problems({"unknown-definition", "not-startable", "definition-disabled",
                             "invalid-state", "business-key-taken"}));
    add_route(router, api, Method::get, base, list_workflows, workflow_list_description());
    add_route(
        router, api, Method::get, base + "/{id}", get_workflow,
        Description("getWorkflow", run_readers.within(Within::workflow),
                    "Shows a workflow with its state.")
            .query({"include", "`why`: also who runs it, its retry, incident, children and jobs.",
                    Choice{{"why"}}, "why"})
            .if_none_match()
            .answer(200, "The workflow.", "Workflow", {"ETag"})
            .problems({"not-found"}));
    add_route(router, api, Method::del, base + "/{id}", delete_workflow,
              Description("clearWorkflow", operators.within(Within::workflow),
                          "Deletes a workflow and what belongs to it.")
                  .audited()
                  .if_match(Presence::required)
                  .done("It is deleted.")
                  .problems({"not-found", "stale-version", "quarantined"}));
    add_route(router, api, Method::post, base + "/{id}/cancel", cancel_workflow,
              cancel_workflow_description());
    add_route(router, api, Method::post, base + "/{id}/release", release_workflow,
              release_workflow_description());
    add_route(router, api, Method::get, base + "/{id}/history", get_history, history_description());
}

}  // namespace holdfast::http
