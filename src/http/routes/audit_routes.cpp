// GET /api/v1/audit: who did what
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::uint64_t most_rows = 1'000;

// A parameter as it was sent; the cursor is bound to it.
std::optional<std::string> read_filter(const Request& request, std::string_view name,
                                       std::string& filters) {
    const auto value = request.query_value(name);
    if (!value) return std::nullopt;
    filters.append(name).append("=").append(*value).append("\n");
    return std::string(*value);
}

Result<std::optional<Moment>> read_time(const Request& request, std::string_view name,
                                        std::string& filters) {
    const auto text = read_filter(request, name, filters);
    if (!text) return std::nullopt;
    HF_TRY(const Moment at, read_moment(*text, name));
    return at;
}

struct AuditList {
    AuditQuery query;
    std::string filters;
};

Result<AuditList> read_list(const Request& request) {
    AuditList list;
    AuditQuery& query = list.query;
    query.limit = number_of(request, "limit");
    query.action = read_filter(request, "action", list.filters);
    query.user = read_filter(request, "user", list.filters);
    query.credential = read_filter(request, "credential", list.filters);
    query.address = read_filter(request, "address", list.filters);
    HF_TRY(query.from, read_time(request, "from", list.filters));
    HF_TRY(query.before, read_time(request, "before", list.filters));
    if (read_filter(request, "order", list.filters) != "oldest")
        query.order = AuditOrder::newest_first;
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(const auto position, read_cursor(*cursor, list.filters));
        HF_TRY(query.place, read_number(position, "the position of the cursor"));
    }
    return list;
}

bj::object row_json(const AuditRow& row) {
    bj::object object = audit_json(row);
    object["hash"] = to_hex(row.hash);
    return object;
}

Response page_response(const AuditPage& page, const std::string& filters) {
    bj::array items;
    for (const AuditRow& row : page.items) items.push_back(row_json(row));
    bj::value next = nullptr;
    if (page.next) next = bj::string(make_cursor(std::to_string(*page.next), filters));
    return json_response(200, bj::object{{"items", std::move(items)},
                                         {"nextCursor", std::move(next)},
                                         {"newest", page.head.newest},
                                         {"newestHash", to_hex(page.head.hash)},
                                         {"forgotten", page.head.forgotten},
                                         {"forgottenHash", to_hex(page.head.anchor)}});
}

void list_audit(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_list(request));
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request), list = std::move(list)](const PageBudget&) {
                           const auto page = reads.ask(list.query);
                           if (!page) return problem(page.error());
                           return page_response(*page, list.filters);
                       });
        return {};
    });
}

}  // namespace

void add_audit_routes(Router& router, Api& api) {
    add_route(
        router, api, Method::get, "/api/v1/audit", list_audit,
        Description("listAudit", admins, "Who did what, when, from where, with which credential.")
            .query({"action",
                    "What was done: the name of a route in /openapi.json, or of what the "
                    "server did itself."})
            .query({"user", "Who did it."})
            .query({"credential", "The id of a key or of a session, `token-file` or `local`."})
            .query({"address", "Of the client."})
            .query({"from", "Not before this time.", AnyText{"date-time"}})
            .query({"before", "Before this time.", AnyText{"date-time"}})
            .query({"order", "The newest first, or the oldest.", Choice{{"newest", "oldest"}}})
            .page(100, most_rows)
            .answer(200, "A page of rows, and where their chain begins and ends.", "AuditPage")
            .audited());
}

}  // namespace holdfast::http
