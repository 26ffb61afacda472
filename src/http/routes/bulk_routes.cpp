// POST and GET /api/v1/bulk-jobs, GET /api/v1/bulk-jobs/{id}, POST .../stop
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "http/input/list_query.h"
#include "http/responses/refusal_responses.h"
#include "pump/bulk/bulk_runner.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_counted = 10'000;  // of a dry run
constexpr std::size_t counted_page = 200;
constexpr std::size_t most_shown = 20;

std::string_view status_of(const Instance& instance) {
    switch (instance.status) {
        case Status::succeeded: return "done";
        case Status::cancelled: return "stopped";
        case Status::failed: return "failed";
        default: return instance.paused ? "paused" : "running";
    }
}

bj::object job_json(const Instance& instance) {
    const auto read = bulk_job_from(instance.state.value());
    const BulkJob job = read ? *read : BulkJob{};
    bj::object state = to_json(job);
    bj::object object{{"id", to_string(instance.id)},
                      {"version", instance.version},
                      {"status", status_of(instance)},
                      {"query", state.at("query")},
                      {"action", state.at("action")},
                      {"reason", job.reason},
                      {"by", nullptr},
                      {"createdAt", to_iso8601(instance.created_at)},
                      {"endedAt", nullptr},
                      {"matched", nullptr},
                      {"done", job.done},
                      {"refused", job.refused},
                      {"left", nullptr},
                      {"refusals", state.at("progress").at("refusals")}};
    if (!instance.started_by.empty()) object["by"] = instance.started_by;
    if (instance.completed_at) object["endedAt"] = to_iso8601(*instance.completed_at);
    if (job.matched) object["matched"] = *job.matched;
    if (job.matched) object["left"] = job.left();
    return object;
}

// What a request asks for, as a job that has done nothing.
struct Asked {
    BulkJob job;
    InstanceQuery query;
    bool dry_run = false;
    Cause cause;
    std::optional<op::ClientKey> client_key;
};

Result<Asked> read_asked(const Request& request, IdSource& ids) {
    HF_TRY(auto body, read_object(request, {"query", "action", "reason", "dryRun"}));
    Asked asked;
    HF_TRY(const auto dry_run, read_flag(body, "dryRun"));
    asked.dry_run = dry_run.value_or(false);
    HF_TRY(const auto reason, read_line(body, "reason"));
    bj::object state{{"reason", reason.value_or("")}};
    for (const char* member : {"query", "action"})
        if (const bj::value* value = body.if_contains(member)) state[member] = *value;
    HF_TRY(asked.job, bulk_job_from(state));
    if (asked.job.query.empty())
        return refuse("'query' must have a filter of the list of workflows, such as definition");
    HF_TRY(asked.query, read_filters(asked.job.query));
    HF_TRY(asked.cause, read_cause(request, ids));
    HF_TRY(asked.client_key, read_client_key(request));
    return asked;
}

// The first workflows that match; the page goes on to count.
struct Matching {
    std::vector<InstanceId> first;
    std::uint64_t count = 0;
    bool more = false;
};

Result<Matching> matching(const TenantReads& reads, InstanceQuery query, const PageBudget& budget) {
    Matching found;
    query.limit = counted_page;
    query.budget = budget;
    do {
        HF_TRY(auto page, reads.ask(query));
        for (const FoundInstance& one : page.items) {
            if (one.instance.definition.key == bulk_definition) continue;
            if (found.first.size() < most_shown) found.first.push_back(one.instance.id);
            ++found.count;
        }
        query.cursor = std::move(page.next);
    } while (query.cursor && found.count < most_counted);
    found.more = query.cursor.has_value();
    return found;
}

// Only a migration has something to say beforehand about each.
Result<bj::array> sample(Api& api, const Asked& asked, const std::vector<InstanceId>& ids) {
    bj::array shown;
    const auto* migrate = std::get_if<op::Migrate>(&asked.job.action);
    std::vector<op::Migrate> operations;
    for (const InstanceId& id : ids) {
        shown.push_back(bj::object{{"workflow", to_string(id)}, {"why", nullptr}});
        if (!migrate) continue;
        op::Migrate one = *migrate;
        one.cause = asked.cause;
        one.cause.operation = api.ids.next<OperationId>();
        one.instance = id;
        one.dry_run = true;
        operations.push_back(std::move(one));
    }
    const auto outcomes = api.coordinator.run_all(std::move(operations));
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        HF_TRY(const auto why, why_refused(outcomes[i]));
        if (why) shown[i].as_object()["why"] = *why;
    }
    return shown;
}

Result<Response> plan(Api& api, const TenantReads& reads, const Asked& asked,
                      const PageBudget& budget) {
    HF_TRY(const auto found, matching(reads, asked.query, budget));
    HF_TRY(auto shown, sample(api, asked, found.first));
    return json_response(
        200,
        bj::object{{"matched", found.count}, {"more", found.more}, {"sample", std::move(shown)}});
}

Result<op::Start::Outcome> start(Api& api, const Asked& asked) {
    const op::Start start{.cause = asked.cause,
                          .client_key = asked.client_key,
                          .definition = std::string(bulk_definition),
                          .business = {},
                          .state = Document::of(to_json(asked.job)),
                          .state_metadata = {},
                          .arguments = Document::of(bj::array{})};
    HF_TRY(auto outcome, api.coordinator.submit(start).get());
    if (!std::holds_alternative<op::UnknownDefinition>(outcome)) return outcome;
    // The first job of all.
    op::Define define{.cause = asked.cause, .key = std::string(bulk_definition)};
    define.cause.operation = api.ids.next<OperationId>();
    HF_TRY(const auto defined, api.coordinator.submit(std::move(define)).get());
    (void)defined;
    return api.coordinator.submit(start).get();
}

Result<Response> begin(Api& api, const Asked& asked) {
    HF_TRY(const auto outcome, start(api, asked));
    const auto* started = std::get_if<op::Started>(&outcome);
    if (!started)
        return problem(409, "definition-disabled", "Disabled",
                       "the definition '" + std::string(bulk_definition) + "' cannot be started");
    Response response = versioned(201, started->instance.version, job_json(started->instance));
    response.headers.add("Location", "/api/v1/bulk-jobs/" + to_string(started->instance.id));
    return response;
}

void create(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto asked, read_asked(request, api.ids));
        const auto run = asked.query.may_take_long() ? search_on_worker : list_on_worker;
        run(api, std::move(later),
            [&api, reads = reads_of(api, request),
             asked = std::move(asked)](const PageBudget& budget) {
                auto response = asked.dry_run ? plan(api, reads, asked, budget) : begin(api, asked);
                return response ? *std::move(response) : problem(response.error());
            });
        return {};
    });
}

void list(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        InstanceQuery query{.definition = std::string(bulk_definition),
                            .limit = number_of(request, "limit")};
        if (const auto cursor = request.query_value("cursor")) {
            HF_TRY(query.cursor, read_cursor(*cursor, bulk_definition));
        }
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request),
                        query = std::move(query)](const PageBudget& budget) mutable {
                           query.budget = budget;
                           const auto page = reads.ask(query);
                           if (!page) return problem(page.error());
                           bj::array items;
                           for (const FoundInstance& one : page->items)
                               items.push_back(job_json(one.instance));
                           bj::object body{{"items", std::move(items)}, {"nextCursor", nullptr}};
                           if (page->next)
                               body["nextCursor"] = make_cursor(*page->next, bulk_definition);
                           return json_response(200, body);
                       });
        return {};
    });
}

Response no_such_job() {
    return problem(404, "no-such-bulk-job", "Not found", "there is no bulk job with this id");
}

Response job_response(const TenantReads& reads, const InstanceId& id) {
    const auto found = reads.ask(FindInstance{id, Depth::document});
    if (!found) return problem(found.error());
    if (!*found || (*found)->instance.definition.key != bulk_definition) return no_such_job();
    return versioned(200, (*found)->instance.version, job_json((*found)->instance));
}

void get(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_instance_id(request));
        read_on_worker(api, std::move(later),
                       [reads = reads_of(api, request), id] { return job_response(reads, id); });
        return {};
    });
}

void stop(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        op::Cancel cancel;
        HF_TRY(cancel.instance, read_instance_id(request));
        HF_TRY(const auto body, read_object(request, {"reason"}, EmptyBody::allowed));
        HF_TRY(const auto reason, read_line(body, "reason"));
        cancel.reason = reason.value_or("");
        HF_TRY(cancel.cause, read_cause(request, api.ids));
        read_on_worker(api, std::move(later),
                       [&api, reads = reads_of(api, request), cancel = std::move(cancel)] {
                           Response found = job_response(reads, cancel.instance);
                           if (found.status != 200) return found;
                           const auto stopped = api.coordinator.submit(cancel).get();
                           if (!stopped) return problem(stopped.error());
                           return job_response(reads, cancel.instance);
                       });
        return {};
    });
}

}  // namespace

void add_bulk_routes(Router& router, Api& api) {
    add_route(router, api, Method::post, "/api/v1/bulk-jobs", create,
              Description("startBulkJob", operators, "Changes every workflow that a query finds.")
                  .audited()
                  .repeatable()
                  .body("BulkJobRequest")
                  .answer(200, "`dryRun`: what it would do.", "BulkPlan")
                  .answer(201, "It has begun.", "BulkJob", {"ETag", "Location"})
                  .problems({"definition-disabled"}));
    add_route(router, api, Method::get, "/api/v1/bulk-jobs", list,
              Description("listBulkJobs", readers, "Lists bulk jobs, the newest first.")
                  .page(50, 200)
                  .answer(200, "A page of bulk jobs.", "BulkJobPage"));
    add_route(router, api, Method::get, "/api/v1/bulk-jobs/{id}", get,
              Description("getBulkJob", readers, "How far a bulk job is.")
                  .path("id", "id of the bulk job")
                  .answer(200, "The bulk job.", "BulkJob", {"ETag"})
                  .problems({"no-such-bulk-job"}));
    add_route(router, api, Method::post, "/api/v1/bulk-jobs/{id}/stop", stop,
              Description("stopBulkJob", operators, "Ends a bulk job; what is done stays done.")
                  .audited()
                  .path("id", "id of the bulk job")
                  .body("ReasonRequest", Presence::optional)
                  .answer(200, "It is stopped, or had ended.", "BulkJob", {"ETag"})
                  .problems({"no-such-bulk-job"}));
}

}  // namespace holdfast::http
