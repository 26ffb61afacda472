// GET /api/v1/nodes, POST /api/v1/retention/run
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/input.h"
#include "pump/retention/retention.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

bj::object node_json(const NodeRow& node, Moment now) {
    return {{"id", to_string(node.id)},
            {"name", node.name},
            {"startedAt", to_iso8601(node.started_at)},
            {"lastBeatAt", to_iso8601(node.beat_at)},
            {"leaseUntil", to_iso8601(node.lease_until)},
            {"alive", node.lease_until > now}};
}

bj::object lock_json(const HostLock& lock, Moment now) {
    return {{"name", lock.name},
            {"owner", lock.owner},
            {"until", to_iso8601(lock.until)},
            {"term", lock.term},
            {"held", lock.until > now}};
}

Result<Response> nodes_response(Store& store) {
    HF_TRY(const auto nodes, store.nodes());
    HF_TRY(const auto locks, store.host_locks());
    HF_TRY(const auto now, store.now());
    bj::array items;
    for (const NodeRow& node : nodes) items.push_back(node_json(node, now));
    bj::array held;
    for (const HostLock& lock : locks) held.push_back(lock_json(lock, now));
    return json_response(200, bj::object{{"items", std::move(items)}, {"locks", std::move(held)}});
}

void list_nodes(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_CHECK(check_parameters(request, {}));
        read_on_worker(api, std::move(later), [&api] {
            auto response = nodes_response(api.store);
            return response ? *std::move(response) : problem(response.error());
        });
        return {};
    });
}

Result<bool> read_switch(const Request& request, const std::string& name) {
    const auto text = request.query_value(name);
    if (!text || *text == "false") return false;
    if (*text == "true") return true;
    return fail(ErrorCode::invalid_argument, name + " must be true or false");
}

Response retention_response(const RetentionReport& report) {
    if (report.running) {
        bj::object members{{"node", report.running->node}};
        if (report.running->since) members["startedAt"] = to_iso8601(*report.running->since);
        if (report.running->until) members["lockedUntil"] = to_iso8601(*report.running->until);
        return problem(409, "retention-running", "Retention is running", *report.refused,
                       std::move(members));
    }
    if (report.refused)
        return problem(409, "retention-refused", "Retention refused", *report.refused);
    return json_response(200, bj::object{{"dryRun", report.kind == RunKind::dry},
                                         {"at", to_iso8601(report.at)},
                                         {"deleted", report.instances},
                                         {"rows", report.rows},
                                         {"cancelled", report.cancelled},
                                         {"eligible", report.eligible}});
}

void run_retention(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_CHECK(check_parameters(request, {"dryRun", "acceptClock"}));
        HF_TRY(const bool dry, read_switch(request, "dryRun"));
        HF_TRY(const bool accept, read_switch(request, "acceptClock"));
        HF_CHECK(read_object(request, {}, EmptyBody::allowed));
        read_on_worker(api, std::move(later), [&api, dry, accept] {
            const auto report = api.retention.run(dry ? RunKind::dry : RunKind::real,
                                                  accept ? ClockTrust::accept : ClockTrust::check);
            return report ? retention_response(*report) : problem(report.error());
        });
        return {};
    });
}

}  // namespace

void add_node_routes(Router& router, Api& api) {
    add_route(router, api, Method::get, "/api/v1/nodes", list_nodes);
    add_route(router, api, Method::post, "/api/v1/retention/run", run_retention);
}

}  // namespace holdfast::http
