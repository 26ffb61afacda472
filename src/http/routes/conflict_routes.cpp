// GET /api/v1/conflicts
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

struct ConflictList {
    ConflictQuery query;
    std::string filters;
};

Result<ConflictList> read_conflict_list(const Request& request) {
    ConflictList list;
    if (const auto workflow = request.query_value("workflow")) {
        list.query.instance = parse_id<InstanceId>(*workflow);
        if (!list.query.instance)
            return fail(ErrorCode::invalid_argument, "workflow must be a workflow id (a UUID)");
        list.filters += "workflow=" + std::string(*workflow) + '\n';
    }
    if (const auto resolution = request.query_value("resolution")) {
        list.query.resolution = parse_resolution(*resolution);
        list.filters += "resolution=" + std::string(*resolution) + '\n';
    }
    list.query.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(auto position, read_cursor(*cursor, list.filters));
        list.query.before = parse_id<OperationId>(position);
        if (!list.query.before)
            return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    }
    return list;
}

void list_conflicts(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_conflict_list(request));
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request),
                        list = std::move(list)](const PageBudget& budget) mutable {
                           list.query.budget = budget;
                           const auto page = reads.ask(list.query);
                           if (!page) return problem(page.error());
                           bj::array items;
                           for (const ConflictRow& row : page->items) items.push_back(to_json(row));
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

}  // namespace

void add_conflict_routes(Router& router, Api& api) {
    add_route(
        router, api, Method::get, "/api/v1/conflicts", list_conflicts,
        Description("listConflicts", readers, "Lists edits that met another version, newest first.")
            .query({"workflow", "The id of the workflow.", AnyText{"uuid"}})
            .query({"resolution", "How the conflict was settled.",
                    Choice{{"rejected", "server-wins", "client-wins", "merged", "overlapping",
                            "base-missing"}}})
            .page(50, 500)
            .answer(200, "A page of conflicts.", "ConflictPage"));
}

}  // namespace holdfast::http
