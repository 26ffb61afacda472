// GET /api/v1/incidents and GET /api/v1/jobs: what cannot go on, and what workers have to do.
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "http/responses/why.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

template <class Query>
struct WorkList {
    Query query;
    std::string filters;  // the cursor is bound to these
};

template <class Query>
void read_work_filter(const Request& request, const char* name, WorkList<Query>& list,
                      std::optional<std::string>& filter) {
    const auto text = request.query_value(name);
    if (!text) return;
    filter = *text;
    list.filters += std::string(name) + '=' + std::string(*text) + '\n';
}

// `first` is the filter that only this list has: `type` of jobs, `code` of incidents.
template <class Query>
Result<WorkList<Query>> read_work_list(const Request& request, const char* first,
                                       std::optional<std::string> Query::* filter) {
    WorkList<Query> list;
    read_work_filter(request, first, list, list.query.*filter);
    read_work_filter(request, "definition", list, list.query.definition);
    if (const auto workflow = request.query_value("workflow")) {
        list.query.instance = parse_id<InstanceId>(*workflow);
        if (!list.query.instance)
            return fail(ErrorCode::invalid_argument, "workflow must be a workflow id (a UUID)");
        list.filters += "workflow=" + to_string(*list.query.instance) + '\n';
    }
    for (const auto& [name, value] : request.query)
        if (value.find('\0') != std::string::npos)
            return fail(ErrorCode::invalid_argument,
                        "parameter '" + name + "' must not contain NUL");
    list.query.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(auto position, read_cursor(*cursor, list.filters));
        using After = typename decltype(list.query.after)::value_type;
        list.query.after = parse_id<After>(position);
        if (!list.query.after)
            return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    }
    return list;
}

bj::object work_json(const Incident& incident) {
    bj::object object{{"workflow", to_string(incident.instance)},
                      {"definition", incident.definition.key},
                      {"definitionVersion", incident.definition.version},
                      {"code", nullptr},
                      {"businessKey", nullptr},
                      {"updatedAt", to_iso8601(incident.updated_at)}};
    if (incident.code) object["code"] = *incident.code;
    if (!incident.business_key.empty()) object["businessKey"] = incident.business_key;
    return object;
}

bj::object work_json(const SignalRow& row) { return http::job_json(row); }

template <class Query>
Response work_page(const TenantReads& reads, const WorkList<Query>& list) {
    const auto page = reads.ask(list.query);
    if (!page) return problem(page.error());
    bj::array items;
    for (const auto& item : page->items) items.push_back(work_json(item));
    bj::object body{{"items", std::move(items)}, {"nextCursor", nullptr}};
    if (page->next) body["nextCursor"] = make_cursor(to_string(*page->next), list.filters);
    return json_response(200, body);
}

template <class Query>
void list_work(Api& api, const Request& request, Respond respond, const char* first,
               std::optional<std::string> Query::* filter) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_work_list<Query>(request, first, filter));
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request),
                        list = std::move(list)](const PageBudget& budget) mutable {
                           list.query.budget = budget;
                           return work_page(reads, list);
                       });
        return {};
    });
}

void list_incidents(Api& api, Request request, Respond respond) {
    list_work<IncidentQuery>(api, request, std::move(respond), "code", &IncidentQuery::code);
}

void list_jobs(Api& api, Request request, Respond respond) {
    list_work<JobQuery>(api, request, std::move(respond), "type", &JobQuery::type);
}

}  // namespace

void add_work_routes(Router& router, Api& api) {
    add_route(router, api, Method::get, "/api/v1/incidents", list_incidents,
              Description("listIncidents", readers.within(Within::filter),
                          "Lists the open workflows that cannot go on.")
                  .query({"code", "What kept them from going on."})
                  .query({"definition", "The key of the definition."})
                  .query({"workflow", "The id of the workflow.", AnyText{"uuid"}})
                  .page(50, 500)
                  .answer(200, "A page of incidents.", "IncidentPage"));
    add_route(
        router, api, Method::get, "/api/v1/jobs", list_jobs,
        Description("listJobs", readers.within(Within::filter), "Lists the jobs that are not done.")
            .query({"type", "The type of the jobs."})
            .query({"definition", "The key of the definition."})
            .query({"workflow", "The id of the workflow.", AnyText{"uuid"}})
            .page(50, 500)
            .answer(200, "A page of jobs.", "JobPage"));
}

}  // namespace holdfast::http
