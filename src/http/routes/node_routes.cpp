// GET /api/v1/nodes, GET /api/v1/stranded, POST /api/v1/retention/run
#include <algorithm>
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "pump/retention/retention.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

bj::object node_json(const NodeRow& node, Moment now) {
    return {{"id", to_string(node.id)},
            {"name", node.name},
            {"kind", name_of(node.kind)},
            {"programs", bj::value_from(node.programs)},
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

struct NodeList {
    std::optional<NodeId> after;
    std::size_t limit = 0;
};

Result<NodeList> read_node_list(const Request& request) {
    NodeList list;
    list.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(const auto position, read_cursor(*cursor, "nodes"));
        list.after = parse_id<NodeId>(position);
        if (!list.after)
            return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    }
    return list;
}

// The oldest first. Locks have the names of jobs, which are few.
Result<Response> nodes_response(Store& store, const NodeList& list) {
    HF_TRY(auto nodes, store.ask(ListNodes{}));
    HF_TRY(const auto locks, store.ask(ListHostLocks{}));
    HF_TRY(const auto now, store.ask(FindTime{}));
    std::ranges::sort(nodes, {}, &NodeRow::id);
    bj::array items;
    std::optional<NodeId> next;
    for (const NodeRow& node : nodes) {
        if (list.after && node.id <= *list.after) continue;
        if (items.size() == list.limit) break;
        items.push_back(node_json(node, now));
        next = node.id;
    }
    if (nodes.empty() || next == nodes.back().id) next.reset();
    bj::array held;
    for (const HostLock& lock : locks) held.push_back(lock_json(lock, now));
    bj::object body{{"items", std::move(items)}, {"locks", std::move(held)}};
    body["nextCursor"] = nullptr;
    if (next) body["nextCursor"] = make_cursor(to_string(*next), "nodes");
    return json_response(200, body);
}

void list_nodes(Api& api, Request request, Respond respond) {
    const auto list = read_node_list(request);
    if (!list) return respond(problem(list.error()));
    read_on_worker(api, std::move(respond), [&api, list = *list] {
        auto response = nodes_response(api.store, list);
        return response ? *std::move(response) : problem(response.error());
    });
}

bj::object stranded_json(const Stranded& one) {
    return {{"workflow", to_string(one.instance)},
            {"program", one.program},
            {"since", to_iso8601(one.visible_at)},
            {"incident", one.incident}};
}

Result<FindStranded> read_stranded(const Request& request) {
    FindStranded query;
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(const auto position, read_cursor(*cursor, "stranded"));
        query.after = parse_id<SignalId>(position);
        if (!query.after)
            return fail(ErrorCode::invalid_argument, "invalid cursor; repeat the query without it");
    }
    return query;
}

// A page of the queue may have none of them: the cursor says whether there is more to look at.
void list_stranded(Api& api, Request request, Respond respond) {
    auto query = read_stranded(request);
    if (!query) return respond(problem(query.error()));
    list_on_worker(api, std::move(respond),
                   [reads = reads_of(api, request), query = *query](const PageBudget&) {
                       const auto page = reads.ask(query);
                       if (!page) return problem(page.error());
                       bj::array items;
                       for (const Stranded& one : page->items) items.push_back(stranded_json(one));
                       bj::object body{{"items", std::move(items)}, {"nextCursor", nullptr}};
                       if (page->next)
                           body["nextCursor"] = make_cursor(to_string(*page->next), "stranded");
                       return json_response(200, body);
                   });
}

// In seconds; 0: for ever, or never.
bj::object windows_json(const RetentionSettings& settings) {
    const auto seconds = [](std::chrono::microseconds time) {
        return std::chrono::duration_cast<std::chrono::seconds>(time).count();
    };
    return {{"keepEnded", seconds(settings.keep_ended)},
            {"staleAfter", seconds(settings.stale_after)},
            {"keepRecords", seconds(std::max(settings.keep_records, settings.keep_ended))},
            {"keepHistory", seconds(settings.keep_history)},
            {"keepCleared", seconds(settings.keep_cleared.value_or(settings.keep_ended))},
            {"keepConflicts", seconds(settings.keep_conflicts)}};
}

Response retention_response(const RetentionReport& report, const RetentionSettings& settings) {
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
                                         {"eligible", report.eligible},
                                         {"more", report.more},
                                         {"windows", windows_json(settings)}});
}

void run_retention(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        const bool dry = flag_of(request, "dryRun");
        const bool accept = flag_of(request, "acceptClock");
        HF_CHECK(read_object(request, {}, EmptyBody::allowed));
        list_on_worker(api, std::move(later), [&api, dry, accept](const PageBudget&) {
            const auto report = api.retention.run(dry ? RunKind::dry : RunKind::real,
                                                  accept ? ClockTrust::accept : ClockTrust::check);
            if (!report) return problem(report.error());
            return retention_response(*report, api.retention.settings());
        });
        return {};
    });
}

}  // namespace

void add_node_routes(Router& router, Api& api) {
    add_route(router, api, Method::get, "/api/v1/nodes", list_nodes,
              Description("listNodes", readers, "Lists nodes and workers, and the locks of jobs.")
                  .page(100, 200)
                  .answer(200, "A page of nodes.", "NodePage"));
    add_route(router, api, Method::get, "/api/v1/stranded", list_stranded,
              Description("listStranded", readers, "Lists workflows that no live node can run.")
                  .query({"cursor", "`nextCursor` of the page before."})
                  .answer(200, "A page of the queue.", "StrandedPage"));
    add_route(router, api, Method::post, "/api/v1/retention/run", run_retention,
              Description("runRetention", admins, "Deletes what ended long ago, now.")
                  .audited()
                  .query({"dryRun", "Only counts.", Flag{}})
                  .query({"acceptClock", "Trusts the clock though it jumped.", Flag{}})
                  .body("NothingRequest", Presence::optional)
                  .answer(200, "What it did.", "RetentionReport")
                  .problems({"retention-running", "retention-refused"}));
}

}  // namespace holdfast::http
