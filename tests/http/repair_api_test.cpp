// Migration, retry and bulk jobs over HTTP.
#include <gtest/gtest.h>

#include "http/input/list_query.h"
#include "pump/bulk/bulk_runner.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

const std::string bulk_jobs = "/api/v1/bulk-jobs";

class RepairApi : public DurableApi {
protected:
    // s -> t -> e
    void deploy(const std::string& task) {
        const std::string xml =
            "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
            "targetNamespace='t'><process id='p' isExecutable='true'><startEvent id='s'/>" +
            task +
            "<endEvent id='e'/><sequenceFlow id='f' sourceRef='s' targetRef='t'/><sequenceFlow "
            "id='g' sourceRef='t' targetRef='e'/></process></definitions>";
        const Reply deployed = server_.call(Method::post, "/api/v1/definitions", xml,
                                            {{"Content-Type", "application/xml"}});
        ASSERT_EQ(deployed.status, 201) << deployed;
    }
    std::string start_process(const std::string& variables = "{}") {
        return server_
            .call(Method::post, workflows,
                  R"({"definition": "p", "state": {"variables": )" + variables + "}}")
            .text_at("/id");
    }
    Reply post(const std::string& id, const std::string& verb, const std::string& body = {},
               const Fields& headers = {}) {
        return server_.call(Method::post, ApiServer::path_of(id) + "/" + verb, body, headers);
    }
    Reply last_row(const std::string& id) {
        const std::uint64_t version = server_.get(id).number_at("/version");
        return server_.call(Method::get,
                            ApiServer::path_of(id) + "/history?from=" + std::to_string(version));
    }
    void run_bulk_jobs() {
        BulkRunner runner({.store = *server_.world.store,
                           .coordinator = *server_.world.coordinator,
                           .ids = server_.world.ids,
                           .node = "n",
                           .read_query = http::read_filters});
        while (runner.run().value() != BulkRunner::Next::idle) {
        }
    }
};

class MigrateApi : public RepairApi {};
INSTANTIATE_TEST_SUITE_P(Stores, MigrateApi, durable_stores(), store_name);

TEST_P(MigrateApi, AProcessGetsAnotherVersionOrAllReasonsWhyNot) {
    deploy("<userTask id='t'/>");
    const std::string id = start_process();
    deploy("<receiveTask id='t'/>");
    const Reply refused = post(id, "migrate", R"({"to": 2})");
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.slug(), "not-migrated");
    EXPECT_EQ(refused.text_at("/problems/0/element"), "t");
    const Reply told = post(id, "migrate", R"({"to": 2, "dryRun": true})");
    EXPECT_EQ(told.status, 200) << told;
    EXPECT_FALSE(told.at("/migrated").as_bool());
    EXPECT_EQ(told.at("/problems"), refused.at("/problems"));
    EXPECT_EQ(server_.get(id).number_at("/definitionVersion"), 1u);
    deploy(
        "<userTask id='t'/><boundaryEvent id='b' attachedToRef='t'><timerEventDefinition>"
        "<timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent>");
    const Reply done = post(id, "migrate", R"({"to": 3, "reason": "new rules"})",
                            {{"If-Match", server_.get(id).header("ETag")}});
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_TRUE(done.at("/migrated").as_bool());
    EXPECT_EQ(done.text_at("/carried/0/to"), "t");
    EXPECT_EQ(done.text_at("/begun/0/element"), "b");
    const Reply read = server_.get(id);
    EXPECT_EQ(read.number_at("/definitionVersion"), 3u);
    EXPECT_EQ(read.number_at("/version"), done.number_at("/version"));
    server_.restart();
    EXPECT_EQ(server_.get(id).number_at("/definitionVersion"), 3u);
}

TEST_P(MigrateApi, ARepeatWithItsKeyGetsTheSameAnswer) {
    deploy("<userTask id='t'/>");
    const std::string id = start_process();
    deploy("<userTask id='t' name='Approve'/>");
    const Fields key{{"Idempotency-Key", "m1"}};
    const Reply done = post(id, "migrate", R"({"to": 2})", key);
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(done.number_at("/from"), 1u);
    EXPECT_EQ(post(id, "migrate", R"({"to": 2})", key).text, done.text);
    EXPECT_EQ(post(id, "migrate", R"({"to": 2})").number_at("/from"), 2u) << "it has it already";
    EXPECT_EQ(server_.get(id).number_at("/version"), done.number_at("/version"));
}

TEST_P(MigrateApi, BadRequestsAreRefused) {
    deploy("<userTask id='t'/>");
    const std::string id = start_process();
    for (const char* body : {R"({})", R"({"to": 0})", R"({"to": "2"})", R"({"to": 4294967297})",
                             R"({"to": 2, "mapping": {"a": 1}})", R"({"to": 2, "mapping": []})"})
        EXPECT_EQ(post(id, "migrate", body).status, 400) << body;
    EXPECT_EQ(post(nobody, "migrate", R"({"to": 2})").status, 404);
    EXPECT_EQ(post(id, "migrate", R"({"to": 2})", {{"If-Match", "\"99\""}}).status, 409);
}

class RetryApi : public RepairApi {};
INSTANTIATE_TEST_SUITE_P(Stores, RetryApi, durable_stores(), store_name);

TEST_P(RetryApi, WhatWaitsForARetryOfAProcessIsRetried) {
    deploy(
        "<userTask id='t'><standardLoopCharacteristics testBefore='true'><loopCondition>=again"
        "</loopCondition></standardLoopCharacteristics></userTask>");
    const std::string id = start_process(R"({"again": "perhaps"})");
    ASSERT_TRUE(server_.get(id).at("/incident").as_bool());
    EXPECT_EQ(post(id, "retry").status, 200) << "which fails again";
    EXPECT_TRUE(server_.get(id).at("/incident").as_bool());
    server_.call(Method::patch, ApiServer::path_of(id) + "/state",
                 R"({"variables": {"again": false}})",
                 {{"If-Match", "*"}, {"Content-Type", "application/merge-patch+json"}});
    const Reply done = post(id, "retry", R"({"reason": "it is repaired"})", {{"X-User-Id", "ann"}});
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(server_.get(id).text_at("/status"), "succeeded");
    const Reply history = server_.call(Method::get, ApiServer::path_of(id) + "/history");
    std::string reason;
    for (const auto& row : history.at("/items").as_array())
        if (row.at("type").as_string() == "Retried" && row.at("payload").is_object())
            reason =
                boost::json::serialize(row.at("payload")) + std::string(row.at("user").as_string());
    EXPECT_EQ(reason, R"({"reason":"it is repaired"}ann)");
    EXPECT_EQ(post(id, "retry").status, 409) << "it has ended";
}

TEST_P(RetryApi, WithoutAFailureThereIsNothingToRetry) {
    deploy("<userTask id='t'/>");
    const std::string id = start_process();
    const Reply nothing = post(id, "retry");
    EXPECT_EQ(nothing.status, 409) << nothing;
    EXPECT_EQ(nothing.slug(), "nothing-to-retry");
    EXPECT_EQ(post(server_.start_id(), "retry").slug(), "nothing-to-retry");
    EXPECT_EQ(post(nobody, "retry").status, 404);
    EXPECT_EQ(post(id, "modify", R"({"steps": [{"do": "retry"}]})", {{"If-Match", "*"}}).status,
              422);
}

TEST_P(RetryApi, APauseAndAResumeHaveTheirReasons) {
    const std::string id = server_.start_id();
    const Fields any{{"If-Match", "*"}};
    EXPECT_EQ(post(id, "pause", R"({"reason": "a storm"})", any).status, 200);
    EXPECT_EQ(last_row(id).text_at("/items/0/payload/reason"), "a storm");
    EXPECT_EQ(post(id, "resume", {}, any).status, 200);
    EXPECT_TRUE(last_row(id).at("/items/0/payload").is_null());
    EXPECT_EQ(post(id, "pause", R"({"because": 1})", any).status, 400);
}

class BulkApi : public RepairApi {};
INSTANTIATE_TEST_SUITE_P(Stores, BulkApi, durable_stores(), store_name);

TEST_P(BulkApi, ADryRunCountsAndSaysWhyOfTheFirst) {
    deploy("<userTask id='t'/>");
    const std::string stays = start_process();
    start_process();
    deploy("<userTask id='t' name='Approve'/>");
    post(stays, "cancel");
    const std::string running = start_process();
    const Reply plan =
        server_.call(Method::post, bulk_jobs,
                     R"({"query": {"definition": "p", "status": "open"}, "dryRun": true,
            "action": {"do": "migrate", "to": 1, "mapping": {"x": "t"}}})");
    ASSERT_EQ(plan.status, 200) << plan;
    EXPECT_EQ(plan.number_at("/matched"), 2u);
    EXPECT_FALSE(plan.at("/more").as_bool());
    EXPECT_EQ(plan.text_at("/sample/0/workflow"), running);
    EXPECT_EQ(plan.text_at("/sample/0/why"),
              "x: the mapping names it, and the process has no such element");
    EXPECT_TRUE(plan.at("/sample/1/why").is_null()) << "it has that version";
    EXPECT_EQ(server_.call(Method::get, bulk_jobs).at("/items").as_array().size(), 0u);
}

TEST_P(BulkApi, AJobIsStartedDoneAndShown) {
    deploy("<userTask id='t'/>");
    const std::string id = start_process();
    deploy("<userTask id='t' name='Approve'/>");
    const std::string request = R"({"query": {"definition": "p", "status": "open"},
                                    "action": {"do": "migrate", "to": 2}, "reason": "new rules"})";
    const Fields fields{{"Idempotency-Key", "b1"}, {"X-User-Id", "ann"}};
    const Reply begun = server_.call(Method::post, bulk_jobs, request, fields);
    ASSERT_EQ(begun.status, 201) << begun;
    EXPECT_EQ(begun.text_at("/status"), "running");
    EXPECT_EQ(begun.text_at("/by"), "ann");
    EXPECT_TRUE(begun.at("/matched").is_null());
    const std::string job = begun.header("Location");
    EXPECT_EQ(server_.call(Method::post, bulk_jobs, request, fields).header("Location"), job);
    run_bulk_jobs();
    const Reply done = server_.call(Method::get, job);
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(done.text_at("/status"), "done");
    EXPECT_EQ(done.number_at("/matched"), 1u);
    EXPECT_EQ(done.number_at("/done"), 1u);
    EXPECT_EQ(done.number_at("/left"), 0u);
    EXPECT_EQ(server_.get(id).number_at("/definitionVersion"), 2u);
    const Reply all = server_.call(Method::get, bulk_jobs);
    EXPECT_EQ(all.text_at("/items/0/id"), begun.text_at("/id"));
}

TEST_P(BulkApi, AJobIsStopped) {
    const std::string id = server_.start_id();
    const Reply begun =
        server_.call(Method::post, bulk_jobs,
                     R"({"query": {"definition": "order"}, "action": {"do": "cancel"}})");
    ASSERT_EQ(begun.status, 201) << begun;
    const std::string job = begun.header("Location");
    const Reply stopped =
        server_.call(Method::post, job + "/stop", R"({"reason": "the wrong ones"})");
    ASSERT_EQ(stopped.status, 200) << stopped;
    EXPECT_EQ(stopped.text_at("/status"), "stopped");
    run_bulk_jobs();
    EXPECT_EQ(server_.get(id).text_at("/status"), "running");
    EXPECT_EQ(server_.call(Method::post, job + "/stop").text_at("/status"), "stopped");
    EXPECT_EQ(server_.call(Method::post, bulk_jobs + "/" + id + "/stop").status, 404)
        << "a workflow is no job";
    EXPECT_EQ(server_.get(id).text_at("/status"), "running");
    EXPECT_EQ(server_.call(Method::get, bulk_jobs + "/" + nobody).slug(), "no-such-bulk-job");
}

// With another definition under its key no bulk job could begin any more.
TEST_P(BulkApi, ItsDefinitionBelongsToTheEngine) {
    const std::string definition = "/api/v1/definitions/holdfast.bulk";
    const Reply defined =
        server_.call(Method::put, definition, R"({"schema": {"type": "number"}})");
    EXPECT_EQ(defined.status, 400) << defined;
    EXPECT_NE(defined.text_at("/detail").find("belong to the engine"), std::string::npos);
    EXPECT_EQ(server_.call(Method::get, definition).status, 404);
    const Reply started = server_.call(Method::post, "/api/v1/workflows",
                                       R"({"definition": "holdfast.bulk", "state": {}})");
    EXPECT_EQ(started.status, 400) << started;
    std::string model =
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' "
        "targetNamespace='t'><process id='holdfast.bulk' isExecutable='true'>"
        "<startEvent id='s'/></process></definitions>";
    EXPECT_EQ(
        server_
            .call(Method::post, "/api/v1/definitions", model, {{"Content-Type", "application/xml"}})
            .status,
        422);
}

TEST_P(BulkApi, BadRequestsAreRefused) {
    for (const char* body :
         {R"({})", R"({"query": {}, "action": {"do": "pause"}})",
          R"({"query": {"colour": "red"}, "action": {"do": "pause"}})",
          R"({"query": {"definition": "a b"}, "action": {"do": "pause"}})",
          R"({"query": {"status": 1}, "action": {"do": "pause"}})",
          R"({"query": {"status": "open"}})",
          R"({"query": {"status": "open"}, "action": {"do": "jump"}})",
          R"({"query": {"status": "open"}, "action": {"do": "pause", "to": 2}})",
          R"({"query": {"status": "open"}, "action": {"do": "migrate"}})",
          R"({"query": {"status": "open"}, "action": {"do": "send", "event": "a\nb"}})",
          R"({"query": {"status": "open"}, "action": {"do": "send", "event": "task/x"}})"}) {
        const Reply refused = server_.call(Method::post, bulk_jobs, body);
        EXPECT_EQ(refused.status, 400) << body << refused;
    }
}

}  // namespace
}  // namespace holdfast::testing
