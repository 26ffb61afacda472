// Who may use what: every route, by every role, for its own and for foreign definitions and
// tenants. The rows are written by hand; a route without a row fails the test.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/api_key.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

constexpr const char* unknown_id = "01890a5d-ac96-774b-bcce-b302099a8057";

// v viewer, p participant, w worker, o operator, a admin; empty: no credential is needed.
// What a credential for certain definitions meets: `all`: the route is about everything (403);
// `flow`, `task`, `key`: what is in the path; `list`: ?definition=; `free`: nothing of a
// definition.
struct Row {
    std::string_view route;
    std::string_view roles;
    std::string_view about = "all";
};

// POST /api/v1/sign-in is for who has no credential yet: sign_in_api_test.cpp.
constexpr std::string_view route_to_sign_in = "POST /api/v1/sign-in";

constexpr Row rows[] = {
    {"GET /healthz", ""},
    {"GET /readyz", ""},
    {"GET /openapi.json", ""},
    {"GET /docs", ""},
    {"GET /docs/style.css", ""},
    {"GET /version", "vpwoa", "free"},
    {"GET /metrics", "voa"},
    {"GET /api/v1/me", "vpwoa", "free"},
    {"GET /api/v1/settings", "a"},
    {"POST /api/v1/sign-out", "vpwoa", "free"},
    {"POST /api/v1/sign-in-links", "vpwoa", "free"},
    {"GET /api/v1/audit", "a"},
    {"GET /api/v1/keys", "a"},
    {"POST /api/v1/keys", "a"},
    {"POST /api/v1/keys/{keyId}/rotate", "a"},
    {"DELETE /api/v1/keys/{keyId}", "a"},
    {"GET /api/v1/definitions", "voa", "free"},
    {"POST /api/v1/definitions", "oa"},
    {"PUT /api/v1/definitions/{key}", "oa", "key"},
    {"GET /api/v1/definitions/{key}", "vwoa", "key"},
    {"GET /api/v1/definitions/{key}/model", "voa", "key"},
    {"GET /api/v1/definitions/{key}/versions", "voa", "key"},
    {"POST /api/v1/definitions/{key}/disable", "oa", "key"},
    {"POST /api/v1/definitions/{key}/enable", "oa", "key"},
    {"POST /api/v1/workflows", "oa", "free"},
    {"GET /api/v1/workflows", "voa", "list"},
    {"GET /api/v1/workflows/{id}", "vwoa", "flow"},
    {"DELETE /api/v1/workflows/{id}", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/cancel", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/release", "oa", "flow"},
    {"GET /api/v1/workflows/{id}/history", "voa", "flow"},
    {"PATCH /api/v1/workflows/{id}/state", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/pause", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/resume", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/retry", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/cancel-timers", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/migrate", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/modify", "oa", "flow"},
    {"GET /api/v1/workflows/{id}/result", "vwoa", "flow"},
    {"POST /api/v1/workflows/{id}/checkpoints", "oa", "flow"},
    {"GET /api/v1/workflows/{id}/checkpoints", "voa", "flow"},
    {"POST /api/v1/workflows/{id}/checkpoints/{name}/restore", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/checkpoints/{name}/fork", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/events", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/events/{name}", "oa", "flow"},
    {"POST /api/v1/workflows/{id}/signals", "oa", "flow"},
    {"PUT /api/v1/workflows/{id}/steps/{index}", "woa", "flow"},
    {"GET /api/v1/workflows/{id}/steps/{index}", "vwoa", "flow"},
    {"POST /api/v1/workflows/{id}/complete", "woa", "flow"},
    {"POST /api/v1/workflows/{id}/fail", "woa", "flow"},
    {"POST /api/v1/workflows/{id}/continue-as", "woa", "flow"},
    {"POST /api/v1/workflows/{id}/wait", "woa", "flow"},
    {"GET /api/v1/workflows/{id}/wait", "vwoa", "flow"},
    {"POST /api/v1/workflows/{id}/tasks", "woa", "flow"},
    {"GET /api/v1/tasks", "vpoa", "list"},
    {"GET /api/v1/tasks/{task}", "vpoa", "task"},
    {"GET /api/v1/tasks/{task}/events", "vpoa", "task"},
    {"POST /api/v1/tasks/{task}/claim", "poa", "task"},
    {"POST /api/v1/tasks/{task}/release", "poa", "task"},
    {"POST /api/v1/tasks/{task}/delegate", "poa", "task"},
    {"POST /api/v1/tasks/{task}/complete", "poa", "task"},
    {"POST /api/v1/tasks/{task}/fail", "poa", "task"},
    {"POST /api/v1/tasks/{task}/assign", "oa", "task"},
    {"POST /api/v1/tasks/{task}/cancel", "oa", "task"},
    {"POST /api/v1/workers", "woa", "free"},
    {"POST /api/v1/workers/{worker}/renew", "woa", "free"},
    {"POST /api/v1/workers/{worker}/claim", "woa", "free"},
    {"POST /api/v1/workers/{worker}/give-back", "woa", "free"},
    {"DELETE /api/v1/workers/{worker}", "woa", "free"},
    {"POST /api/v1/events", "oa"},
    {"POST /api/v1/events/{name}", "oa"},
    {"GET /api/v1/event-fates/{event}", "voa"},
    {"GET /api/v1/pending-events", "voa"},
    {"DELETE /api/v1/pending-events/{event}", "oa"},
    {"GET /api/v1/dead-events", "voa"},
    {"GET /api/v1/dead-events/{event}", "voa"},
    {"POST /api/v1/dead-events/{event}/replay", "oa"},
    {"DELETE /api/v1/dead-events/{event}", "oa"},
    {"GET /api/v1/dead-letters", "voa"},
    {"GET /api/v1/dead-letters/{signal}", "voa"},
    {"POST /api/v1/dead-letters/{signal}/redrive", "oa"},
    {"DELETE /api/v1/dead-letters/{signal}", "oa"},
    {"GET /api/v1/incidents", "voa", "list"},
    {"GET /api/v1/jobs", "voa", "list"},
    {"GET /api/v1/conflicts", "voa"},
    {"GET /api/v1/stream", "voa", "list"},
    {"POST /api/v1/webhooks", "oa"},
    {"GET /api/v1/webhooks", "voa"},
    {"GET /api/v1/webhooks/{id}", "voa"},
    {"DELETE /api/v1/webhooks/{id}", "oa"},
    {"POST /api/v1/webhooks/{id}/ping", "oa"},
    {"POST /api/v1/webhooks/{id}/pause", "oa"},
    {"POST /api/v1/webhooks/{id}/resume", "oa"},
    {"POST /api/v1/webhooks/{id}/redeliver", "oa"},
    {"POST /api/v1/webhooks/{id}/discard", "oa"},
    {"POST /api/v1/bulk-jobs", "oa"},
    {"GET /api/v1/bulk-jobs", "voa"},
    {"GET /api/v1/bulk-jobs/{id}", "voa"},
    {"POST /api/v1/bulk-jobs/{id}/stop", "oa"},
    {"GET /api/v1/schedules", "voa"},
    {"GET /api/v1/schedules/{name}", "voa"},
    {"PUT /api/v1/schedules/{name}", "oa"},
    {"DELETE /api/v1/schedules/{name}", "oa"},
    {"POST /api/v1/schedules/{name}/pause", "oa"},
    {"POST /api/v1/schedules/{name}/resume", "oa"},
    {"POST /api/v1/schedules/{name}/trigger", "oa"},
    {"POST /api/v1/schedules/{name}/backfill", "oa"},
    {"POST /api/v1/schedules/{name}/clear-queue", "oa"},
    {"GET /api/v1/nodes", "voa"},
    {"GET /api/v1/stranded", "voa"},
    {"POST /api/v1/retention/run", "a"},
};

const std::pair<char, Role> roles[] = {{'v', Role::viewer},
                                       {'p', Role::participant},
                                       {'w', Role::worker},
                                       {'o', Role::operator_},
                                       {'a', Role::admin}};

// What a request is about.
struct Subject {
    std::string workflow;
    std::string task;
    std::string definition;
};

class AccessMatrix : public ::testing::Test {
protected:
    AccessMatrix() {
        own_ = subject("order", "ann");
        foreign_ = subject("payroll", "ann");
        not_hers_ = own_;
        not_hers_.task = task_of(own_.workflow, 1, "bob");
        unknown_ = {unknown_id, unknown_id, "unknown"};
        // The last one, because it closes the server to requests without a key.
        for (const auto& [letter, role] : roles) {
            whole_[letter] = add_key(role, {});
            if (role != Role::admin) narrow_[letter] = add_key(role, {"order"});
            acme_[letter] = add_key(role, {}, "acme");
        }
        server_.restart();
    }

    // As the local admin.
    Subject subject(const std::string& definition, const std::string& user) {
        server_.call(Method::put, "/api/v1/definitions/" + definition, "{}");
        const Reply started =
            server_.call(Method::post, workflows, R"({"definition": ")" + definition + R"("})");
        const std::string id = started.text_at("/id");
        return {id, task_of(id, 0, user), definition};
    }
    std::string task_of(const std::string& id, int index, const std::string& user) {
        const Reply created =
            server_.call(Method::post, ApiServer::path_of(id) + "/tasks",
                         R"({"run": 1, "index": )" + std::to_string(index) +
                             R"(, "name": "approve", "candidateUsers": [")" + user + R"("]})");
        EXPECT_EQ(created.status, 201) << created;
        return created.text_at("/id");
    }
    std::string add_key(Role role, std::vector<std::string> definitions,
                        const std::string& tenant = "default") {
        const IssuedKey made = make_key();
        EXPECT_TRUE(server_.world.store->change_keys(
            {.add = ApiKey{.id = made.id,
                           .tenant = tenant,
                           .name = "key",
                           .user = "ann",
                           .roles = {std::string(name_of(role))},
                           .definitions = std::move(definitions),
                           .secret = made.secret,
                           .created_at = server_.world.clock.now()}}));
        return made.text;
    }

    static std::string target_of(std::string pattern, const Subject& subject,
                                 std::string_view about) {
        const std::pair<std::string_view, std::string> values[] = {
            {"{id}", subject.workflow}, {"{key}", subject.definition},
            {"{task}", subject.task},   {"{name}", "c"},
            {"{event}", unknown_id},    {"{signal}", unknown_id},
            {"{index}", "0"},           {"{worker}", unknown_id},
            {"{keyId}", "00"}};
        for (const auto& [name, value] : values)
            if (const auto at = pattern.find(name); at != std::string::npos)
                pattern.replace(at, name.size(), value);
        if (pattern == "/api/v1/stream") pattern += "?kind=nothing&";  // refused: it would not end
        if (pattern.ends_with("/result")) pattern += "?timeout=0s";
        if (about == "list")
            pattern +=
                (pattern.ends_with('&') ? "definition=" : "?definition=") + subject.definition;
        return pattern;
    }
    Reply call(const http::RouteSummary& route, const Row& row, const std::string& key,
               const Subject& subject) {
        Fields headers;
        if (!key.empty()) headers.emplace_back("Authorization", "Bearer " + key);
        const bool reads = route.method == Method::get || route.method == Method::del;
        std::string target = target_of(route.pattern, subject, row.about);
        if (route.method == Method::get && route.pattern.ends_with("/wait"))
            target += "?index=0&timeout=0s";
        return server_.call(route.method, target, reads ? "" : "{}", headers);
    }
    // Calls `check` with every route and its row.
    template <class Check>
    void for_each_route(Check check) {
        std::map<std::string, const Row*> known;
        for (const Row& row : rows) known.emplace(row.route, &row);
        ASSERT_EQ(known.size(), std::size(rows));
        for (const http::RouteSummary& route : server_.routes()) {
            const std::string name = std::string(name_of(route.method)) + ' ' + route.pattern;
            if (name == route_to_sign_in) continue;
            const auto row = known.find(name);
            ASSERT_NE(row, known.end()) << name << " has no row: say who may use it";
            check(route, *row->second);
            known.erase(row);
        }
        EXPECT_TRUE(known.empty()) << known.begin()->first << " is no route";
    }

    static bool is_hidden(const Reply& reply) {
        const std::set<std::string> hidden{"not-found", "no-such-task", "unknown-definition"};
        return reply.status == 404 && hidden.contains(reply.slug());
    }
    // What the handler itself answered, whatever that is.
    static void expect_permitted(const Reply& reply) {
        EXPECT_LT(reply.status, 500) << reply;
        EXPECT_NE(reply.status, 401) << reply;
        EXPECT_NE(reply.slug(), "not-allowed") << reply;
        EXPECT_FALSE(is_hidden(reply)) << reply;
    }
    static void expect_not_allowed(const Reply& reply) {
        EXPECT_EQ(reply.status, 403) << reply;
        EXPECT_EQ(reply.slug(), "not-allowed") << reply;
    }

    ApiServer server_{"sqlite"};
    Subject own_;       // of the definition that narrow keys are for
    Subject not_hers_;  // the same, with a task of somebody else
    Subject foreign_;
    Subject unknown_;
    std::map<char, std::string> whole_;   // keys by role, for every definition
    std::map<char, std::string> narrow_;  // for `order` only
    std::map<char, std::string> acme_;    // of another tenant
};

#define TRACE_CELL(role) \
    SCOPED_TRACE(std::string(name_of(route.method)) + ' ' + route.pattern + " by " + (role))

TEST_F(AccessMatrix, ARoleMayUseTheRoutesOfItsRowAndNoOthers) {
    std::size_t cells = 0;
    for_each_route([&](const http::RouteSummary& route, const Row& row) {
        if (row.roles.empty()) {
            EXPECT_EQ(call(route, row, {}, own_).status, 200) << route.pattern;
            return;
        }
        EXPECT_EQ(call(route, row, {}, own_).status, 401) << route.pattern;
        for (const auto& [role, key] : whole_) {
            TRACE_CELL(role);
            const Reply reply = call(route, row, key, own_);
            if (row.roles.contains(role))
                expect_permitted(reply);
            else
                expect_not_allowed(reply);
            ++cells;
        }
    });
    EXPECT_EQ(cells, 5 * (std::size(rows) - 5));
}

TEST_F(AccessMatrix, AKeyForOneDefinitionReachesNoOther) {
    for_each_route([&](const http::RouteSummary& route, const Row& row) {
        for (const auto& [role, key] : narrow_) {
            if (!row.roles.contains(role)) continue;
            TRACE_CELL(role);
            if (row.about == "all") {
                expect_not_allowed(call(route, row, key, own_));
                continue;
            }
            expect_permitted(call(route, row, key, own_));
            if (row.about == "free") continue;
            const Reply foreign = call(route, row, key, foreign_);
            EXPECT_TRUE(is_hidden(foreign)) << foreign;
            const Reply unknown = call(route, row, key, unknown_);
            EXPECT_EQ(unknown.status, 404) << unknown;
            EXPECT_EQ(foreign.slug(), unknown.slug()) << "it tells what exists";
        }
    });
}

TEST_F(AccessMatrix, AParticipantKnowsOfTheTasksThatAreTheUsers) {
    for_each_route([&](const http::RouteSummary& route, const Row& row) {
        if (row.about != "task" || !row.roles.contains('p')) return;
        TRACE_CELL('p');
        expect_permitted(call(route, row, whole_['p'], own_));
        const Reply foreign = call(route, row, whole_['p'], not_hers_);
        EXPECT_EQ(foreign.slug(), "no-such-task") << foreign;
        EXPECT_EQ(foreign.text, call(route, row, whole_['p'], unknown_).text);
        expect_permitted(call(route, row, whole_['o'], not_hers_));
    });
    const Reply list = server_.call(Method::get, "/api/v1/tasks", {},
                                    {{"Authorization", "Bearer " + whole_['p']}});
    std::set<std::string> listed;
    for (const auto& task : list.at("/items").as_array()) listed.emplace(task.at("id").as_string());
    EXPECT_EQ(listed, (std::set{own_.task, foreign_.task}));
}

TEST_F(AccessMatrix, AnotherTenantsDataAreUnknown) {
    for_each_route([&](const http::RouteSummary& route, const Row& row) {
        if (row.about != "flow" && row.about != "task" && row.about != "key") return;
        for (const auto& [role, key] : acme_) {
            if (!row.roles.contains(role)) continue;
            TRACE_CELL(role);
            const Reply foreign = call(route, row, key, own_);
            const Reply unknown = call(route, row, key, unknown_);
            EXPECT_EQ(foreign.status, unknown.status) << foreign << unknown;
            EXPECT_EQ(foreign.slug(), unknown.slug()) << "it tells what exists";
        }
    });
}

}  // namespace
}  // namespace holdfast::testing
