// Workflows over HTTP: start, read, cancel and clear.
#include <gtest/gtest.h>

#include <set>

#include "base/json/canonical.h"
#include "base/threads/threads.h"
#include "support/api_server.h"
#include "support/batch.h"

namespace holdfast::testing {
namespace {

constexpr const char* bob = "22222222-2222-4222-8222-222222222222";

class WorkflowApi : public DurableApi {
protected:
    WorkflowApi() { server_.call(Method::put, "/api/v1/definitions/order", "{}"); }

    Reply post(const std::string& body, const Fields& headers = {}) {
        return server_.call(Method::post, workflows, body, headers);
    }
    Reply cancel(const std::string& id, const std::string& body = {}, const Fields& headers = {}) {
        return server_.call(Method::post, ApiServer::path_of(id) + "/cancel", body, headers);
    }
    Reply clear(const std::string& id, const Fields& headers = {}) {
        return server_.call(Method::del, ApiServer::path_of(id), {}, headers);
    }
    std::size_t instances() {
        const Reply all = server_.call(Method::get, std::string(workflows) + "?limit=500");
        return all.at("/items").as_array().size();
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, WorkflowApi, durable_stores(), store_name);

TEST_P(WorkflowApi, AStartAnswersWithTheNewWorkflowAtVersionOne) {
    const Reply started = post(R"({"definition": "order", "state": {"step": "new"},
                                   "stateMetadata": {"source": "test"}})");
    ASSERT_EQ(started.status, 201) << started;
    EXPECT_EQ(started.header("Location"), ApiServer::path_of(started.text_at("/id")));
    EXPECT_EQ(started.header("ETag"), "\"1\"");
    EXPECT_EQ(started.header("Content-Type"), "application/json");
    EXPECT_EQ(started.number_at("/version"), 1u);
    EXPECT_EQ(started.text_at("/status"), "running");
    EXPECT_EQ(started.text_at("/definition"), "order");
    EXPECT_EQ(started.number_at("/definitionVersion"), 1u);
    EXPECT_EQ(started.at("/state"), json_of(R"({"step": "new"})"));
    EXPECT_EQ(started.at("/stateMetadata"), json_of(R"({"source": "test"})"));
    EXPECT_EQ(started.text_at("/stateChecksum"), to_hex(document(R"({"step": "new"})").checksum()));
    EXPECT_FALSE(started.at("/quarantined").as_bool());
}

TEST_P(WorkflowApi, WhatWasStartedIsWhatIsRead) {
    const Reply started = post(R"({"definition": "order", "businessKey": "o-1",
        "state": {"null": null, "list": [], "deep": {"a": [1, -2, 0.5, "ü€😀", true]},
                  "big": 9223372036854775807, "bigger": 18446744073709551615}})");
    ASSERT_EQ(started.status, 201) << started;
    const Reply read = server_.get(started.text_at("/id"));
    EXPECT_EQ(read.status, 200);
    EXPECT_EQ(json::canonical(read.body), json::canonical(started.body));
}

TEST_P(WorkflowApi, StateAndMetadataAreEmptyObjectsWhenLeftOut) {
    const Reply read = server_.get(post(R"({"definition": "order"})").text_at("/id"));
    EXPECT_EQ(read.at("/state"), json_of("{}"));
    EXPECT_EQ(read.at("/stateMetadata"), json_of("{}"));
    EXPECT_EQ(read.text_at("/stateChecksum"), to_hex(sha256("{}")));
}

TEST_P(WorkflowApi, AStartOfAnUnknownDefinitionIsNotFound) {
    const Reply refused = post(R"({"definition": "nothing"})");
    EXPECT_EQ(refused.status, 404) << refused;
    EXPECT_EQ(refused.slug(), "unknown-definition");
    EXPECT_EQ(instances(), 0u);
}

TEST_P(WorkflowApi, ABusinessReferenceIsAKeyWithParts) {
    const Reply started = post(R"({"definition": "order", "businessReference":
        {"key": "o-7", "parts": {"region": "eu", "year": "2026"}}})");
    ASSERT_EQ(started.status, 201) << started;
    const Reply read = server_.get(started.text_at("/id"));
    EXPECT_EQ(read.at("/businessReference"),
              json_of(R"({"key": "o-7", "parts": {"region": "eu", "year": "2026"}})"));
}

TEST_P(WorkflowApi, ABusinessKeyIsABusinessReferenceWithoutParts) {
    const Reply started = post(R"({"definition": "order", "businessKey": "o-8"})");
    ASSERT_EQ(started.status, 201) << started;
    EXPECT_EQ(started.at("/businessReference"), json_of(R"({"key": "o-8", "parts": {}})"));
}

TEST_P(WorkflowApi, ABusinessReferenceAndABusinessKeyAtOnceAreRefused) {
    const Reply refused = post(
        R"({"definition": "order", "businessKey": "o-9", "businessReference": {"key": "o-9"}})");
    EXPECT_EQ(refused.status, 400) << refused;
    EXPECT_EQ(instances(), 0u);
}

TEST_P(WorkflowApi, ARepeatedStartGivesTheSameAnswer) {
    const std::string body = R"({"definition": "order", "state": {"n": 1}})";
    const Reply first = post(body, {{"Idempotency-Key", "k-1"}});
    server_.patch(first.text_at("/id"), "1", R"({"state": {"n": 2}})");
    const Reply second = post(body, {{"Idempotency-Key", "k-1"}});
    EXPECT_EQ(second.status, 201) << second;
    EXPECT_EQ(second.text, first.text);
    EXPECT_EQ(second.header("Location"), first.header("Location"));
    EXPECT_EQ(second.header("ETag"), first.header("ETag"));
    EXPECT_EQ(instances(), 1u);
}

TEST_P(WorkflowApi, ARepeatedStartGivesTheSameAnswerAfterARestart) {
    const std::string body = R"({"definition": "order", "businessKey": "b", "state": {"n": 1}})";
    const Reply first = post(body, {{"Idempotency-Key", "k-1"}, {"X-User-Id", alice}});
    server_.restart();
    const Reply second = post(body, {{"Idempotency-Key", "k-1"}, {"X-User-Id", alice}});
    EXPECT_EQ(second.status, 201) << second;
    EXPECT_EQ(second.text, first.text);
    EXPECT_EQ(instances(), 1u);
}

TEST_P(WorkflowApi, AKeyThatComesBackWithAnotherBodyIsRefused) {
    post(R"({"definition": "order"})", {{"Idempotency-Key", "k-1"}});
    const Reply refused =
        post(R"({"definition": "order", "state": {"x": 1}})", {{"Idempotency-Key", "k-1"}});
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.slug(), "idempotency-key-reused");
    EXPECT_EQ(instances(), 1u);
}

TEST_P(WorkflowApi, AKeyThatComesBackOnAnotherRouteIsRefused) {
    const std::string id = server_.start_id();
    post(R"({"definition": "order"})", {{"Idempotency-Key", "k-1"}});
    const Reply refused = cancel(id, R"({"definition": "order"})", {{"Idempotency-Key", "k-1"}});
    EXPECT_EQ(refused.status, 400) << refused;
    EXPECT_EQ(cancel(id, {}, {{"Idempotency-Key", "k-1"}}).status, 422);
    EXPECT_EQ(server_.get(id).text_at("/status"), "running");
}

TEST_P(WorkflowApi, ARefusedStartLeavesItsKeyFree) {
    const Fields key{{"Idempotency-Key", "k-1"}};
    EXPECT_EQ(post(R"({"definition": "late"})", key).status, 404);
    server_.call(Method::put, "/api/v1/definitions/late", "{}");
    EXPECT_EQ(post(R"({"definition": "late"})", key).status, 201);
}

TEST_P(WorkflowApi, TwoStartsWithOneKeyInOneBatchAreOneStart) {
    const op::ClientKey key{"k-1", sha256("the same request")};
    const auto start = [&] {
        return op::Start{.cause = server_.world.cause(), .client_key = key, .definition = "order"};
    };
    const auto results =
        testing::submit_batch(*server_.world.coordinator, {start(), start(), start(), start()})
            .get();
    std::set<std::string> ids;
    for (const auto& result : results) {
        ASSERT_TRUE(result.has_value()) << result.error().message;
        const auto& outcome = std::get<op::Start::Outcome>(*result);
        ids.insert(to_string(std::get<op::Started>(outcome).instance.id));
    }
    EXPECT_EQ(ids.size(), 1u);
    EXPECT_EQ(instances(), 1u);
}

TEST_P(WorkflowApi, ConcurrentStartsWithOneKeyAreOneStart) {
    std::vector<std::string> answers(8);
    {
        std::vector<std::jthread> callers;
        for (std::string& answer : answers)
            callers.push_back(named_thread("caller", [&](std::stop_token) {
                answer = server_.client()
                             .call(Method::post, workflows, R"({"definition": "order"})",
                                   {{"Idempotency-Key", "k-1"}})
                             .text;
            }));
    }
    EXPECT_EQ(std::set(answers.begin(), answers.end()).size(), 1u);
    EXPECT_EQ(instances(), 1u);
}

TEST_P(WorkflowApi, AnUnchangedWorkflowIsNotSentAgain) {
    const std::string id = server_.start_id();
    for (const char* known : {"\"1\"", "W/\"1\"", "1", "*", "\"7\", \"1\""}) {
        const Reply same =
            server_.call(Method::get, ApiServer::path_of(id), {}, {{"If-None-Match", known}});
        EXPECT_EQ(same.status, 304) << known << same;
        EXPECT_EQ(same.header("ETag"), "\"1\"");
        EXPECT_EQ(same.text, "");
    }
    server_.patch(id, "1", R"({"state": {"n": 1}})");
    const Reply changed =
        server_.call(Method::get, ApiServer::path_of(id), {}, {{"If-None-Match", "\"1\""}});
    EXPECT_EQ(changed.status, 200);
    EXPECT_EQ(changed.header("ETag"), "\"2\"");
}

// A checkpoint and a quarantine change the document, not the version.
TEST_P(WorkflowApi, EveryChangeOfTheDocumentChangesItsETag) {
    const std::string id = server_.start_id(R"({"n": 1})");
    std::string known = server_.get(id).header("ETag");
    const auto expect_changed = [&](const char* what) {
        const auto ask = [&] {
            return server_.call(Method::get, ApiServer::path_of(id), {},
                                {{"If-None-Match", known}});
        };
        const Reply changed = ask();
        EXPECT_EQ(changed.status, 200) << what << changed;
        EXPECT_EQ(changed.at("/version"), 1);
        known = changed.header("ETag");
        EXPECT_TRUE(known.starts_with("\"1-")) << known;
        EXPECT_EQ(ask().status, 304) << what;
    };
    server_.call(Method::post, ApiServer::path_of(id) + "/checkpoints", R"({"name": "a"})");
    expect_changed("a checkpoint");
    const std::string first = known;
    server_.call(Method::post, ApiServer::path_of(id) + "/checkpoints", R"({"name": "b"})");
    expect_changed("another checkpoint");
    EXPECT_NE(known, first);
    server_.corrupt_state(id);
    expect_changed("a quarantine");
}

TEST_P(WorkflowApi, AnETagWithADigestIsComparedByItsVersion) {
    const std::string id = server_.start_id(R"({"n": 1})");
    server_.call(Method::post, ApiServer::path_of(id) + "/checkpoints", R"({"name": "a"})");
    const std::string tag = server_.get(id).header("ETag");
    const std::string version = tag.substr(1, tag.size() - 2);
    EXPECT_EQ(server_.patch(id, version, R"({"state": {"n": 2}})").status, 200);
    EXPECT_EQ(server_.patch(id, version, R"({"state": {"n": 3}})").status, 409);
    for (const char* bad : {"1-", "1-0f3a91c", "1-0F3A91C2", "1-0f3a91c2d", "-0f3a91c2"})
        EXPECT_EQ(server_.patch(id, bad, R"({"state": {"n": 4}})").status, 400) << bad;
}

TEST_P(WorkflowApi, AnIdThatIsNotThereIsNotFound) {
    const Reply missing = server_.get(nobody);
    EXPECT_EQ(missing.status, 404) << missing;
    EXPECT_EQ(missing.header("Content-Type"), "application/problem+json");
    EXPECT_EQ(cancel(nobody).status, 404);
    EXPECT_EQ(clear(nobody, {{"If-Match", "\"1\""}}).status, 404);
    EXPECT_EQ(server_.call(Method::get, ApiServer::path_of(nobody) + "/history").status, 404);
    EXPECT_EQ(server_.call(Method::post, ApiServer::path_of(nobody) + "/release").status, 404);
}

TEST_P(WorkflowApi, HeadHasTheHeadersOfGetWithoutItsBody) {
    const Reply head = server_.call(Method::head, ApiServer::path_of(server_.start_id()));
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.header("ETag"), "\"1\"");
    EXPECT_EQ(head.text, "");
}

TEST_P(WorkflowApi, AClearNeedsTheCurrentVersion) {
    const std::string id = server_.start_id();
    server_.patch(id, "1", R"({"state": {"n": 1}})");
    EXPECT_EQ(clear(id).status, 400);
    const Reply stale = clear(id, {{"If-Match", "\"1\""}});
    EXPECT_EQ(stale.status, 409) << stale;
    EXPECT_EQ(stale.number_at("/currentVersion"), 2u);
    EXPECT_EQ(stale.header("ETag"), "\"2\"");
    EXPECT_EQ(server_.get(id).status, 200);
    EXPECT_EQ(server_.conflicts("rejected"), 1u);
}

TEST_P(WorkflowApi, AClearedWorkflowIsGoneButItsHistoryStays) {
    const std::string id = server_.start_id(R"({"n": 1})");
    const Reply cleared = clear(id, {{"If-Match", "\"1\""}, {"X-User-Id", alice}});
    EXPECT_EQ(cleared.status, 204) << cleared;
    EXPECT_EQ(cleared.text, "");
    EXPECT_EQ(server_.get(id).status, 404);
    EXPECT_EQ(clear(id, {{"If-Match", "\"1\""}}).status, 404);
    EXPECT_EQ(server_.patch(id, "*", R"({"state": {}})").status, 404);

    const Reply history = server_.call(Method::get, ApiServer::path_of(id) + "/history");
    ASSERT_EQ(history.status, 200) << history;
    ASSERT_EQ(history.at("/items").as_array().size(), 2u);
    EXPECT_EQ(history.text_at("/items/0/type"), "Started");
    EXPECT_EQ(history.text_at("/items/1/type"), "Cleared");
    EXPECT_EQ(history.number_at("/items/1/version"), 2u);
    EXPECT_EQ(history.text_at("/items/1/user"), alice);
}

TEST_P(WorkflowApi, AnyVersionCanBeClearedByAStar) {
    const std::string id = server_.start_id();
    EXPECT_EQ(clear(id, {{"If-Match", "*"}}).status, 204);
}

TEST_P(WorkflowApi, OnlyTheFirstCancelCancels) {
    const std::string id = server_.start_id(R"({"n": 1})");
    const Reply first = cancel(id, R"({"reason": "no longer wanted"})");
    ASSERT_EQ(first.status, 200) << first;
    EXPECT_TRUE(first.at("/cancelled").as_bool());
    EXPECT_EQ(first.text_at("/status"), "cancelled");
    EXPECT_EQ(first.number_at("/version"), 2u);
    EXPECT_EQ(first.header("ETag"), "\"2\"");

    const Reply second = cancel(id);
    ASSERT_EQ(second.status, 200) << second;
    EXPECT_FALSE(second.at("/cancelled").as_bool());
    EXPECT_EQ(second.number_at("/version"), 2u);
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/status"), "cancelled");
    EXPECT_TRUE(read.at("/completedAt").is_string());
    EXPECT_EQ(read.at("/state"), json_of(R"({"n": 1})"));
    EXPECT_EQ(read.text_at("/cancelReason"), "no longer wanted");
}

TEST_P(WorkflowApi, ACancelUnderAStaleVersionIsRefused) {
    const std::string id = server_.start_id();
    server_.patch(id, "1", R"({"state": {"n": 1}})");
    const Reply stale = cancel(id, {}, {{"If-Match", "\"1\""}});
    EXPECT_EQ(stale.status, 409) << stale;
    EXPECT_EQ(stale.slug(), "stale-version");
    EXPECT_EQ(server_.get(id).text_at("/status"), "running");
    EXPECT_TRUE(cancel(id, {}, {{"If-Match", "\"2\""}}).at("/cancelled").as_bool());
}

TEST_P(WorkflowApi, ARepeatedCancelWithItsKeySaysAgainThatItCancelled) {
    const std::string id = server_.start_id();
    const Reply first = cancel(id, {}, {{"Idempotency-Key", "c-1"}});
    server_.restart();
    const Reply second = cancel(id, {}, {{"Idempotency-Key", "c-1"}});
    EXPECT_EQ(second.text, first.text);
    EXPECT_EQ(second.header("ETag"), first.header("ETag"));
    EXPECT_TRUE(second.at("/cancelled").as_bool());
}

TEST_P(WorkflowApi, TheActingUserIsRemembered) {
    const Reply started = post(R"({"definition": "order"})", {{"X-User-Id", alice}});
    const std::string id = started.text_at("/id");
    EXPECT_EQ(started.text_at("/startedBy"), alice);
    EXPECT_EQ(started.text_at("/lastModifiedBy"), alice);
    server_.call(Method::patch, ApiServer::path_of(id) + "/state", R"({"state": {"n": 1}})",
                 {{"If-Match", "\"1\""}, {"X-User-Id", bob}, {"X-Correlation-Id", "c-42"}});
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/startedBy"), alice);
    EXPECT_EQ(read.text_at("/lastModifiedBy"), bob);
    const Reply history = server_.call(Method::get, ApiServer::path_of(id) + "/history");
    EXPECT_EQ(history.text_at("/items/1/user"), bob);
    EXPECT_EQ(history.text_at("/items/1/correlation"), "c-42");
}

TEST_P(WorkflowApi, AnAnonymousEditLeavesNoUser) {
    const Reply started = post(R"({"definition": "order"})", {{"X-User-Id", alice}});
    const std::string id = started.text_at("/id");
    server_.patch(id, "1", R"({"state": {"n": 1}})");
    EXPECT_TRUE(server_.get(id).at("/lastModifiedBy").is_null());
}

TEST_P(WorkflowApi, AUserIsATextAndAUuidInAnyCaseIsOneUser) {
    const auto started_by = [&](const std::string& user) {
        return post(R"({"definition": "order"})", {{"X-User-Id", user}}).text_at("/startedBy");
    };
    EXPECT_EQ(started_by("ann@example.org"), "ann@example.org");
    EXPECT_EQ(started_by("0189A0F5-AC96-774B-BCCE-B302099A8057"),
              "0189a0f5-ac96-774b-bcce-b302099a8057");
}

}  // namespace
}  // namespace holdfast::testing
