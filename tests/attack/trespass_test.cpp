// An admin of one tenant who wants something of another one. Each attack is a request to a real
// server, on both databases.
#include "attack/trespass.h"

#include <set>

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using http::Method;

const std::string workflows = "/api/v1/workflows";
const Fields any_version{{"If-Match", "*"}};

TEST_P(Trespass, ReadsByIdFindNothing) {
    for (const char* what : {"", "/history", "/checkpoints", "/result?timeout=0s", "/steps/0",
                             "/wait?index=0&timeout=0s", "?include=why"})
        expect_unknown(Method::get, path() + what, town_.workflow);
}

TEST_P(Trespass, ChangesByIdFindNothing) {
    for (const char* what :
         {"/cancel", "/release", "/pause", "/resume", "/retry", "/cancel-timers"})
        expect_unknown(Method::post, path() + what, town_.workflow, "{}", any_version);
    expect_unknown(Method::patch, path() + "/state", town_.workflow, R"({"iban": "mine"})",
                   {{"If-Match", "1"}, {"Content-Type", "application/merge-patch+json"}});
    expect_unknown(Method::del, path(), town_.workflow, "", {{"If-Match", "1"}});
    expect_unknown(Method::post, path() + "/migrate", town_.workflow, R"({"to": 1})", any_version);
}

TEST_P(Trespass, AVersionIsNotAnOracle) {
    std::set<std::string> answers;
    for (int version = 1; version < 6; ++version)
        answers.insert(admin(Method::patch, path() + "/state", "{}",
                             {{"If-Match", std::to_string(version)},
                              {"Content-Type", "application/merge-patch+json"}})
                           .text);
    EXPECT_EQ(answers.size(), 1U) << "a stale version is told from a current one";
}

TEST_P(Trespass, CheckpointsAreNeitherTakenRestoredNorForked) {
    const std::size_t mine = items(workflows + "?limit=200");
    for (const char* what : {"/checkpoints/c/restore", "/checkpoints/c/fork"})
        expect_unknown(Method::post, path() + what, town_.workflow, "{}", any_version);
    expect_unknown(Method::post, path() + "/checkpoints", town_.workflow, R"({"name": "d"})");
    EXPECT_EQ(items(workflows + "?limit=200"), mine) << "no fork was made";
}

TEST_P(Trespass, SearchFindsNothing) {
    const std::string id = town_.workflow;
    for (const std::string& filter :
         {"idPrefix=" + id.substr(0, 13), std::string("businessKey=ACME-SECRET"),
          std::string("definition=plan"), std::string("path.iban=ACME-SECRET"),
          std::string("contains=%7B%22iban%22%3A%22ACME-SECRET%22%7D"), "parent=" + id,
          std::string("startedBy=ann&definition=plan"), std::string("waitsFor=paid")}) {
        const Answer page = admin(Method::get, workflows + "?" + filter);
        EXPECT_TRUE(page.status == 200 || page.slug() == "unknown-definition") << filter << page;
        if (page.status == 200) {
            EXPECT_EQ(page.json().at("items").as_array().size(), 0U) << page;
        }
    }
}

TEST_P(Trespass, ListsOfTheWholeStoreAreOfTheOwnTenant) {
    for (const char* list :
         {"/api/v1/tasks", "/api/v1/pending-events", "/api/v1/dead-events", "/api/v1/dead-letters",
          "/api/v1/conflicts", "/api/v1/incidents", "/api/v1/jobs", "/api/v1/schedules",
          "/api/v1/bulk-jobs", "/api/v1/keys", "/api/v1/definitions"})
        items(list);
    EXPECT_EQ(items("/api/v1/tasks?workflow=" + town_.workflow), 0U);
    EXPECT_EQ(items("/api/v1/tasks?candidate=ann"), 0U);
    EXPECT_EQ(items("/api/v1/tasks?candidate=ann", "acme operator"), 1U) << "it is there";
}

// A cursor of acme says where to go on, not whose rows.
TEST_P(Trespass, ACursorOfTheOtherTenantOpensNothing) {
    const auto second = [&] {
        return town_.ask("acme operator", Method::post, workflows,
                         R"({"definition": "plan", "businessKey": "ACME-SECRET-2",
                             "state": {"iban": "ACME-SECRET"}})");
    };
    const std::string id = second().at("/id");
    for (const char* list :
         {"/api/v1/workflows", "/api/v1/tasks", "/api/v1/definitions", "/api/v1/pending-events"}) {
        const Answer page = town_.ask("acme operator", Method::get, std::string(list) + "?limit=1");
        ASSERT_EQ(page.status, 200) << page;
        const std::string cursor = page.at("/nextCursor");
        if (cursor.empty() || cursor == "null") continue;
        const Answer rest = admin(Method::get, std::string(list) + "?limit=1&cursor=" + cursor);
        EXPECT_TRUE(rest.status == 200 || rest.status == 400) << list << rest;
    }
    EXPECT_EQ(town_.ask("acme operator", Method::del, workflows + '/' + id, "", any_version).status,
              204);
}

TEST_P(Trespass, AnIdempotencyKeyOfTheOtherTenantIsFree) {
    const Answer started = admin(Method::post, workflows, R"({"definition": "mine"})",
                                 {{"Idempotency-Key", "start-1"}});
    EXPECT_EQ(started.status, 201) << started;
    EXPECT_NE(started.at("/id"), town_.workflow);
    const Answer sent =
        admin(Method::post, "/api/v1/events/paid", R"({"value": 1})", {{"Idempotency-Key", "e-1"}});
    EXPECT_EQ(sent.status, 202) << sent;
    EXPECT_NE(sent.at("/id"), town_.event);
}

TEST_P(Trespass, AnEventIdOfTheOtherTenantTellsNothing) {
    const Answer same = admin(Method::post, "/api/v1/events/paid",
                              R"({"id": ")" + town_.event + R"(", "value": "mine"})");
    EXPECT_NE(same.status / 100, 5) << same;
    expect_unknown(Method::get, "/api/v1/event-fates/" + town_.event, town_.event);
}

TEST_P(Trespass, PendingEventsAreNotCancelled) {
    for (const std::string& id : {town_.delayed, town_.event})
        expect_unknown(Method::del, "/api/v1/pending-events/" + id, id);
    for (const char* what : {"", "/replay"}) {
        const std::string target = "/api/v1/dead-events/" + town_.event + what;
        expect_unknown(*what ? Method::post : Method::get, target, town_.event, "");
    }
}

TEST_P(Trespass, AnEventToAForeignTargetIsNotQueued) {
    expect_unknown(Method::post, path() + "/events/paid", town_.workflow, R"({"value": 1})");
    expect_unknown(Method::post, path() + "/signals", town_.workflow, R"({"name": "x"})");
}

// A broadcast with the name and the correlation key that acme waits for.
TEST_P(Trespass, CorrelationDoesNotCrossTenants) {
    const Answer started =
        town_.ask("acme operator", Method::post, workflows, R"({"definition": "waiter"})");
    ASSERT_EQ(started.status, 201) << started;
    const std::string place = workflows + '/' + started.at("/id");
    const Answer asleep = town_.ask(
        "acme operator", Method::post, place + "/wait",
        R"({"run": 1, "index": 0, "names": [{"name": "shipped", "correlationKey": "k-7"}]})");
    ASSERT_EQ(asleep.status, 200) << asleep;
    for (const char* fan_out : {"one", "all"}) {
        const Answer sent =
            admin(Method::post, "/api/v1/events/shipped",
                  std::string(R"({"correlationKey": "k-7", "fanOut": ")") + fan_out + R"("})");
        EXPECT_NE(sent.at("/outcome"), "delivered") << sent;
        EXPECT_FALSE(sent.text.contains(started.at("/id"))) << sent;
    }
    const Answer exactly = admin(Method::post, "/api/v1/events/shipped",
                                 R"({"correlationKey": "k-7", "fanOut": "exactly-one"})");
    EXPECT_EQ(exactly.slug(), "not-exactly-one") << exactly;
    EXPECT_EQ(town_.ask("acme operator", Method::get, place).at("/status"), "suspended");
    EXPECT_EQ(town_.ask("acme operator", Method::del, place, "", any_version).status, 204);
}

TEST_P(Trespass, AWaitForAForeignWorkflowIsNotAnOracle) {
    const std::string mine = workflows + '/' + town_.own_workflow();
    const auto wait_for = [&](const std::string& id) {
        return admin(Method::post, mine + "/wait",
                     R"({"run": 1, "index": 0, "workflows": [")" + id + R"("], "after": "1h"})");
    };
    const Answer foreign = wait_for(town_.workflow);
    const Answer unknown = wait_for(nobodys_id);
    EXPECT_EQ(foreign.status, unknown.status) << foreign << unknown;
    EXPECT_EQ(foreign.slug(), unknown.slug()) << foreign << unknown;
}

TEST_P(Trespass, TheStreamShowsTheOwnTenant) {
    const std::string end = town_.own_workflow();
    for (const char* query :
         {"?after=0", "?after=0&kind=workflow,task,deadEvent,deadLetter,incident"}) {
        const std::string seen = town_.stream_of("admin", query, end);
        EXPECT_TRUE(seen.contains(end)) << seen;
        EXPECT_FALSE(seen.contains(acmes_mark)) << seen;
        EXPECT_FALSE(seen.contains(town_.workflow)) << seen;
        EXPECT_FALSE(seen.contains(town_.task)) << seen;
    }
    EXPECT_TRUE(town_.stream_of("acme operator", "?after=0", acmes_mark).contains(acmes_mark))
        << "it is there";
}

TEST_P(Trespass, BulkJobsFindTheOwnTenant) {
    for (const char* filter : {R"("businessKey": "ACME-SECRET")", R"("path.iban": "ACME-SECRET")",
                               R"("status": "open", "contains": "{\"iban\":\"ACME-SECRET\"}")"}) {
        const Answer plan = admin(Method::post, "/api/v1/bulk-jobs",
                                  std::string(R"({"query": {)") + filter +
                                      R"(}, "action": {"do": "cancel"}, "dryRun": true})");
        EXPECT_EQ(plan.status, 200) << plan;
        EXPECT_EQ(plan.at("/matched"), "0") << plan;
    }
    for (const char* what : {"", "/stop"})
        expect_unknown(*what ? Method::post : Method::get,
                       "/api/v1/bulk-jobs/" + town_.bulk_job + what, town_.bulk_job);
    EXPECT_EQ(admin(Method::get, workflows + '/' + town_.bulk_job).status, 404);
}

TEST_P(Trespass, ASchedulesNameIsTheTenants) {
    const std::string nightly = "/api/v1/schedules/nightly";
    EXPECT_EQ(admin(Method::get, nightly).status, 404);
    for (const char* what : {"/pause", "/resume", "/trigger", "/clear-queue"})
        EXPECT_EQ(admin(Method::post, nightly + what).status, 404) << what;
    EXPECT_EQ(
        admin(Method::put, nightly, R"({"every": "999h", "start": {"definition": "mine"}})").status,
        201)
        << "the name is free";
    EXPECT_EQ(admin(Method::del, nightly).status, 204);
}

TEST_P(Trespass, AScheduleDoesNotSendToAForeignWorkflow) {
    const Answer made = admin(
        Method::put, "/api/v1/schedules/intruder",
        R"({"every": "999h", "send": {"event": "paid", "workflow": ")" + town_.workflow + R"("}})");
    if (made.status == 201) {
        admin(Method::post, "/api/v1/schedules/intruder/trigger");
        EXPECT_EQ(admin(Method::del, "/api/v1/schedules/intruder").status, 204);
    } else {
        EXPECT_EQ(made.status / 100, 4) << made;
    }
}

TEST_P(Trespass, TasksAreUnknown) {
    const std::string task = "/api/v1/tasks/" + town_.task;
    for (const char* what : {"", "/events"}) expect_unknown(Method::get, task + what, town_.task);
    for (const auto& [what, body] :
         {std::pair{"/claim", R"({"user": "ann"})"}, std::pair{"/release", R"({"user": "ann"})"},
          std::pair{"/delegate", R"({"user": "ann", "to": "bob"})"},
          std::pair{"/complete", R"({"user": "ann", "outputs": {}})"},
          std::pair{"/fail", R"({"user": "ann", "error": {"code": "x"}})"},
          std::pair{"/assign", R"({"user": "ann", "assignee": "bob"})"},
          std::pair{"/cancel", R"({"user": "ann"})"}})
        expect_unknown(Method::post, task + what, town_.task, body, {{"If-Match", "1"}});
}

// The same name as a candidate of acme's task.
TEST_P(Trespass, AUserOfTheSameNameIsAnotherPerson) {
    for (const char* key : {"participant", "operator"}) {
        const Answer claimed =
            town_.ask(key, Method::post, "/api/v1/tasks/" + town_.task + "/claim",
                      R"({"user": "ann"})", {{"If-Match", "1"}});
        EXPECT_EQ(claimed.status, 404) << key << claimed;
    }
}

TEST_P(Trespass, AWorkerGetsNoForeignWork) {
    const Answer hired = town_.ask("worker", Method::post, "/api/v1/workers",
                                   R"({"name": "w", "definitions": ["plan"], "lease": "1h"})");
    if (hired.status == 201) {
        const std::string place = "/api/v1/workers/" + hired.at("/id");
        const Answer claimed =
            town_.ask("worker", Method::post, place + "/claim", R"({"limit": 256})");
        EXPECT_EQ(claimed.text, R"({"items":[]})");
        EXPECT_EQ(town_.ask("worker", Method::del, place).status, 204);
    } else {
        EXPECT_EQ(hired.status / 100, 4) << hired;
    }
}

TEST_P(Trespass, AWorkerEndsNoForeignWorkflow) {
    for (const char* key : {"worker", "admin"})
        for (const auto& [what, body] :
             {std::pair{"/complete", R"({"run": 1, "index": 0, "result": 1})"},
              std::pair{"/fail", R"({"run": 1, "index": 0, "code": "x"})"},
              std::pair{"/continue-as", R"({"run": 1, "index": 0})"},
              std::pair{"/wait", R"({"run": 1, "index": 0, "after": "1h"})"},
              std::pair{"/tasks", R"({"run": 1, "index": 0, "name": "x"})"}}) {
            const Answer answer = town_.ask(key, Method::post, path() + what, body);
            EXPECT_EQ(answer.status, 404) << key << what << answer;
        }
    const std::string step =
        R"({"run": 1, "name": "x", "inputHash": ")" + std::string(64, '0') + R"(", "value": 1})";
    EXPECT_EQ(admin(Method::put, path() + "/steps/0", step).status, 404);
}

TEST_P(Trespass, DefinitionsOfTheSameKeyAreTwo) {
    for (const char* what : {"", "/model", "/versions"}) {
        const Answer answer = admin(Method::get, "/api/v1/definitions/plan" + std::string(what));
        EXPECT_TRUE(answer.status == 404 || answer.text.contains(R"("items":[])"))
            << what << answer;
    }
    for (const char* what : {"/disable", "/enable"})
        EXPECT_EQ(admin(Method::post, "/api/v1/definitions/plan" + std::string(what)).status, 404);
    EXPECT_EQ(admin(Method::post, workflows, R"({"definition": "plan"})").slug(),
              "unknown-definition");
}

TEST_P(Trespass, NobodyStartsAChildOfAForeignWorkflow) {
    for (const char* member : {"parent", "parentId"}) {
        const Answer child = admin(Method::post, workflows,
                                   std::string(R"({"definition": "mine", ")") + member + R"(": ")" +
                                       town_.workflow + R"("})");
        EXPECT_EQ(child.status, 400) << child;
    }
}

TEST_P(Trespass, NobodyNamesATenant) {
    for (const Fields& smuggled : {Fields{{"X-Tenant", "acme"}}, Fields{{"X-Tenant-Id", "acme"}},
                                   Fields{{"Tenant", "acme"}}})
        EXPECT_EQ(admin(Method::get, path(), "", smuggled).status, 404);
    for (const char* target : {"/api/v1/workflows?tenant=acme", "/api/v1/tasks?tenant=acme"})
        EXPECT_EQ(admin(Method::get, target).status, 400) << target;
    const Answer started =
        admin(Method::post, workflows, R"({"definition": "plan", "tenant": "acme"})");
    EXPECT_NE(started.status, 201) << started;
    EXPECT_EQ(admin(Method::post, "/api/v1/keys",
                    R"({"name": "x", "roles": ["admin"], "tenant": "acme"})")
                  .status,
              400);
}

TEST_P(Trespass, ActingForAUserStaysInTheTenant) {
    const Answer answer = admin(Method::get, path(), "", {{"X-User-Id", "ann"}});
    EXPECT_EQ(answer.status, 404) << answer;
    EXPECT_EQ(admin(Method::post, path() + "/cancel", "{}", {{"X-User-Id", "ann"}}).status, 404);
}

TEST_P(Trespass, KeysOfTheOtherTenantAreNeitherSeenNorEnded) {
    expect_unknown(Method::del, "/api/v1/keys/" + town_.key_id, town_.key_id);
    expect_unknown(Method::post, "/api/v1/keys/" + town_.key_id + "/rotate", town_.key_id, "{}");
    EXPECT_EQ(town_.ask("acme worker", Method::get, "/api/v1/me").status, 200);
}

INSTANTIATE_TEST_SUITE_P(Stores, Trespass, ::testing::Values("sqlite", "postgres"));

}  // namespace
}  // namespace holdfast::testing
