// Workers outside that hold leases over HTTP: claimed, renewed, given back, fenced by epoch.
#include <gtest/gtest.h>

#include "support/eventually.h"
#include "support/forwarding_store.h"
#include "support/runner_api.h"

namespace holdfast::testing {
namespace {

class WorkerApi : public RunnerApi {
protected:
    WorkerApi() {
        EXPECT_EQ(server_
                      .call(Method::put, "/api/v1/definitions/parcel",
                            R"({"runner": "worker", "indexes": ["city"]})")
                      .status,
                  201);
    }

    std::string start() {
        const Reply started =
            post("/api/v1/workflows", R"({"definition": "parcel", "arguments": ["lamp"]})");
        EXPECT_EQ(started.status, 201) << started;
        return started.text_at("/id");
    }
    std::string begin(const std::string& lease = "1h") {
        const Reply begun = post("/api/v1/workers", R"({"name": "w", "definitions": ["parcel"],
                                                        "lease": ")" +
                                                        lease + "\"}");
        EXPECT_EQ(begun.status, 201) << begun;
        return begun.text_at("/id");
    }
    static std::string route(const std::string& worker, const std::string& rest = {}) {
        return "/api/v1/workers/" + worker + rest;
    }
    Reply claim(const std::string& worker) { return post(route(worker, "/claim"), "{}"); }
    static std::size_t count(const Reply& claimed) {
        return claimed.status == 200 ? claimed.at("/items").as_array().size() : 0;
    }
    static std::string lease_of(const Reply& claimed) {
        return boost::json::serialize(claimed.at("/items/0/lease"));
    }
    Reply step_under(const std::string& id, const std::string& lease, int index = 1) {
        return server_.call(Method::put, path(id, "/steps/" + std::to_string(index)),
                            R"({"run": 1, "name": "pack", "value": 7, "inputHash": ")" +
                                std::string(64, 'a') + R"(", "lease": )" + lease + "}");
    }
    Reply end_under(const std::string& id, const std::string& lease, int index) {
        return post(path(id, "/complete"), R"({"run": 1, "index": )" + std::to_string(index) +
                                               R"(, "result": 7, "lease": )" + lease + "}");
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, WorkerApi, durable_stores(), store_name);

TEST_P(WorkerApi, AWorkerClaimsAWorkflowAndTakesItToItsEnd) {
    const std::string id = start();
    const std::string worker = begin();
    const Reply claimed = claim(worker);
    ASSERT_EQ(count(claimed), 1u) << claimed;
    EXPECT_EQ(claimed.text_at("/items/0/workflow"), id);
    EXPECT_EQ(claimed.text_at("/items/0/definition"), "parcel");
    EXPECT_EQ(claimed.number_at("/items/0/index"), 1u);
    EXPECT_EQ(claimed.number_at("/items/0/attempts"), 1u);
    EXPECT_EQ(count(claim(worker)), 0u) << "nobody else gets it";
    EXPECT_EQ(fetch(path(id, "/steps/0")).text_at("/value/0"), "lamp");
    EXPECT_EQ(step_under(id, lease_of(claimed)).status, 201);
    EXPECT_EQ(end_under(id, lease_of(claimed), 2).status, 200);
    EXPECT_EQ(server_.get(id).text_at("/status"), "succeeded");
}

TEST_P(WorkerApi, WithoutALeaseNobodyActs) {
    const std::string id = start();
    const std::string worker = begin();
    ASSERT_EQ(count(claim(worker)), 1u);
    const std::string before = fingerprint(server_);
    EXPECT_EQ(complete(id, 1).slug(), "overtaken");
    EXPECT_EQ(step(id, 1, "pack").slug(), "overtaken");
    EXPECT_EQ(end_under(id, R"({"worker": ")" + worker + R"(", "epoch": 99})", 1).slug(),
              "overtaken");
    EXPECT_EQ(fingerprint(server_), before);
}

TEST_P(WorkerApi, AWorkflowWhoseWorkerIsSilentGoesToAnotherAndTheFirstIsOvertaken) {
    const std::string id = start();
    const std::string silent = begin("1s");
    const Reply first = claim(silent);
    ASSERT_EQ(count(first), 1u) << first;
    const std::string other = begin();
    Reply second;
    ASSERT_TRUE(eventually([&] {
        second = claim(other);
        return count(second) == 1;
    }));
    EXPECT_EQ(second.number_at("/items/0/attempts"), 2u);
    EXPECT_EQ(step_under(id, lease_of(first)).slug(), "overtaken");
    EXPECT_EQ(end_under(id, lease_of(first), 1).slug(), "overtaken");
    EXPECT_EQ(post(route(silent, "/renew"), "{}").slug(), "lease-ended");
    EXPECT_EQ(claim(silent).slug(), "lease-ended");
    EXPECT_EQ(step_under(id, lease_of(second)).status, 201);
}

// Its first claim is committed, and the reply is lost.
class LosesAClaim final : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    Result<Claimed> claim(const Claim& claim) override {
        auto claimed = inner_.claim(claim);
        if (std::exchange(lost_, true)) return claimed;
        return fail(ErrorCode::outcome_unknown, "the connection was lost");
    }

private:
    bool lost_ = false;
};

TEST(WorkersClaim, ThatIsLostEndsTheWorkerSoThatAnotherGetsTheWorkflow) {
    ApiServer server("sqlite", {.in_between = [](Store& store) {
                         return std::make_unique<LosesAClaim>(store);
                     }});
    const std::string workers = "/api/v1/workers";
    server.call(Method::put, "/api/v1/definitions/parcel", R"({"runner": "worker"})");
    server.call(Method::post, "/api/v1/workflows", R"({"definition": "parcel"})");
    const auto begin = [&] {
        return server
            .call(Method::post, workers,
                  R"({"name": "w", "definitions": ["parcel"], "lease": "1h"})")
            .text_at("/id");
    };
    const std::string first = begin();
    const Reply lost = server.call(Method::post, workers + "/" + first + "/claim", "{}");
    EXPECT_EQ(lost.slug(), "lease-ended") << lost;
    const Reply got = server.call(Method::post, workers + "/" + begin() + "/claim", "{}");
    ASSERT_EQ(got.status, 200) << got;
    EXPECT_EQ(got.at("/items").as_array().size(), 1u);
}

class CountsNodeLists final : public ForwardingStore {
public:
    CountsNodeLists(Store& inner, std::atomic<int>& lists)
        : ForwardingStore(inner), lists_(lists) {}
    void read(const AnyQuestion& question) override {
        if (std::holds_alternative<Question<ListNodes>>(question)) ++lists_;
        inner_.read(question);
    }

private:
    std::atomic<int>& lists_;
};

TEST(WorkersClaim, ReadsTheRowOfItsWorkerAlone) {
    std::atomic<int> lists = 0;
    ApiServer server("sqlite", {.in_between = [&](Store& store) {
                         return std::make_unique<CountsNodeLists>(store, lists);
                     }});
    const std::string workers = "/api/v1/workers";
    server.call(Method::put, "/api/v1/definitions/parcel", R"({"runner": "worker"})");
    const std::string worker =
        server.call(Method::post, workers, R"({"name": "w", "definitions": ["parcel"]})")
            .text_at("/id");
    const int before = lists;
    for (const char* call : {"/claim", "/renew"})
        EXPECT_EQ(server.call(Method::post, workers + "/" + worker + call, "{}").status, 200);
    EXPECT_EQ(server.call(Method::del, workers + "/" + worker).status, 204);
    EXPECT_EQ(lists, before);
}

TEST_P(WorkerApi, NodesAndWorkersAreListedInPages) {
    const std::set<std::string> begun{begin(), begin(), begin()};
    std::set<std::string> listed;
    const auto page = [&](const std::string& rest, std::size_t size) {
        const Reply nodes = fetch("/api/v1/nodes?limit=2" + rest);
        EXPECT_EQ(nodes.status, 200) << nodes;
        EXPECT_EQ(nodes.at("/items").as_array().size(), size) << nodes;
        for (const auto& item : nodes.at("/items").as_array())
            listed.emplace(item.at("id").as_string());
        return nodes;
    };
    const Reply first = page("", 2);
    EXPECT_TRUE(page("&cursor=" + first.text_at("/nextCursor"), 1).at("/nextCursor").is_null());
    EXPECT_EQ(listed, begun);
    EXPECT_EQ(fetch("/api/v1/nodes?limit=200").status, 200);
    EXPECT_EQ(fetch("/api/v1/nodes?limit=201").status, 400);
}

TEST_P(WorkerApi, ALeaseIsRenewed) {
    start();
    const std::string worker = begin("2s");
    ASSERT_EQ(count(claim(worker)), 1u);
    const auto until = [&] {
        const Reply nodes = fetch("/api/v1/nodes");
        EXPECT_EQ(nodes.text_at("/items/0/id"), worker) << nodes;
        EXPECT_EQ(nodes.text_at("/items/0/kind"), "worker");
        EXPECT_EQ(nodes.text_at("/items/0/programs/0"), "parcel");
        return nodes.text_at("/items/0/leaseUntil");
    };
    const std::string before = until();
    const Reply renewed = post(route(worker, "/renew"), R"({"lease": "1h"})");
    ASSERT_EQ(renewed.status, 200) << renewed;
    EXPECT_GT(renewed.text_at("/leaseUntil"), before);
    EXPECT_GT(until(), before);
}

TEST_P(WorkerApi, WhatIsGivenBackOrLeftIsFree) {
    start();
    const std::string worker = begin();
    const Reply first = claim(worker);
    ASSERT_EQ(count(first), 1u);
    const std::string signal = R"({"begun": false, "signal": ")" +
                               first.text_at("/items/0/signal") + R"(", "epoch": )" +
                               std::to_string(first.number_at("/items/0/lease/epoch")) + "}";
    EXPECT_EQ(post(route(worker, "/give-back"), signal).status, 204);
    const Reply again = claim(worker);
    ASSERT_EQ(count(again), 1u);
    EXPECT_EQ(again.number_at("/items/0/attempts"), 1u) << "it was not begun";
    EXPECT_EQ(server_.call(Method::del, route(worker)).status, 204);
    EXPECT_EQ(count(claim(begin())), 1u);
}

TEST_P(WorkerApi, AWaitEndsTheLeaseAndTheWokenWorkflowIsClaimedAgain) {
    const std::string id = start();
    const std::string worker = begin();
    const Reply claimed = claim(worker);
    const Reply waiting = post(path(id, "/wait"), R"({"run": 1, "index": 1, "names": ["paid"],
                                                      "lease": )" +
                                                      lease_of(claimed) + "}");
    ASSERT_EQ(waiting.status, 200) << waiting;
    EXPECT_EQ(count(claim(worker)), 0u);
    EXPECT_EQ(send(id, "paid", R"({"value": 5})").status, 200) << "delivered";
    const Reply woken = claim(worker);
    ASSERT_EQ(count(woken), 1u) << woken;
    EXPECT_EQ(end_under(id, lease_of(claimed), 2).slug(), "overtaken") << "the old lease is void";
    EXPECT_EQ(end_under(id, lease_of(woken), 2).status, 200);
}

TEST_P(WorkerApi, AWorkflowThatIsNeverFinishedBecomesADeadLetter) {
    const std::string id = start();
    const std::string worker = begin();
    for (int attempt = 0; attempt < 5; ++attempt) {
        const Reply claimed = claim(worker);
        ASSERT_EQ(count(claimed), 1u) << attempt << claimed;
        const std::string signal = R"({"signal": ")" + claimed.text_at("/items/0/signal") +
                                   R"(", "epoch": )" +
                                   std::to_string(claimed.number_at("/items/0/lease/epoch")) + "}";
        EXPECT_EQ(post(route(worker, "/give-back"), signal).status, 204);
    }
    EXPECT_EQ(count(claim(worker)), 0u);
    EXPECT_EQ(fetch("/api/v1/dead-letters").text_at("/items/0/workflow"), id);
    EXPECT_EQ(fetch(path(id, "/result?timeout=0s")).slug(), "stopped");
}

TEST_P(WorkerApi, WorkflowsThatNobodyMayRunAreListed) {
    const std::string id = start();
    const Reply stranded = fetch("/api/v1/stranded");
    ASSERT_EQ(stranded.status, 200) << stranded;
    EXPECT_EQ(stranded.text_at("/items/0/workflow"), id);
    EXPECT_EQ(stranded.text_at("/items/0/program"), "parcel");
    EXPECT_FALSE(stranded.at("/items/0/incident").as_bool());
    EXPECT_TRUE(stranded.at("/nextCursor").is_null());
    begin();
    EXPECT_TRUE(fetch("/api/v1/stranded").at("/items").as_array().empty());
    EXPECT_EQ(fetch("/api/v1/stranded?cursor=x").status, 400);
}

TEST_P(WorkerApi, WhySaysWhoRunsAWorkflow) {
    const std::string id = start();
    const auto why = [&] { return server_.call(Method::get, path(id, "?include=why")); };
    Reply shown = why();
    ASSERT_EQ(shown.status, 200) << shown;
    EXPECT_FALSE(shown.at("/why/runner/programAvailable").as_bool()) << "nobody has begun";
    EXPECT_TRUE(shown.at("/why/runner/node").is_null());
    EXPECT_EQ(shown.text_at("/why/arguments/0"), "lamp");
    EXPECT_TRUE(shown.at("/why/retry").is_null());
    EXPECT_TRUE(shown.at("/why/incident").is_null());
    EXPECT_TRUE(shown.at("/why/children").as_array().empty());
    const std::string worker = begin();
    EXPECT_TRUE(why().at("/why/runner/programAvailable").as_bool());
    const Reply claimed = claim(worker);
    shown = why();
    EXPECT_EQ(shown.text_at("/why/runner/node"), "w");
    EXPECT_EQ(shown.number_at("/why/runner/attempt"), 1u);
    EXPECT_FALSE(shown.text_at("/why/runner/leaseUntil").empty());
    ASSERT_EQ(step_under(id, lease_of(claimed)).status, 201);
    ASSERT_EQ(end_under(id, lease_of(claimed), 2).status, 200);
    EXPECT_TRUE(why().at("/why/runner").is_null()) << "it has ended";
    EXPECT_EQ(server_.call(Method::get, path(id, "?include=all")).status, 400);
    EXPECT_EQ(server_.get(id).body.as_object().if_contains("why"), nullptr);
}

TEST_P(WorkerApi, BadRequestsAreRefused) {
    const std::string worker = begin();
    for (const char* body : {R"({"name": "w"})", R"({"name": "w", "definitions": []})",
                             R"({"definitions": ["parcel"]})",
                             R"({"name": "w", "definitions": ["parcel"], "lease": "0s"})",
                             R"({"name": "w", "definitions": ["parcel"], "lease": "2h"})",
                             R"({"name": "w", "definitions": ["a b"]})"})
        EXPECT_EQ(post("/api/v1/workers", body).status, 400) << body;
    server_.start_id();
    EXPECT_EQ(post("/api/v1/workers", R"({"name": "w", "definitions": ["order"]})").slug(),
              "not-for-workers");
    EXPECT_EQ(post(route(nobody, "/claim"), "{}").slug(), "lease-ended");
    EXPECT_EQ(post(route("7", "/claim"), "{}").status, 400);
    EXPECT_EQ(post(route(worker, "/claim"), R"({"limit": 0})").status, 400);
    EXPECT_EQ(post(route(worker, "/give-back"), R"({"epoch": 1})").status, 400);
    EXPECT_EQ(
        server_.call(Method::put, "/api/v1/definitions/parcel", R"({"runner": "outside"})").status,
        400);
    EXPECT_EQ(server_.call(Method::put, "/api/v1/definitions/x", R"({"runner": "cat"})").status,
              400);
    const std::string id = start();
    EXPECT_EQ(end_under(id, R"({"worker": "me", "epoch": 1})", 1).status, 400);
}

}  // namespace
}  // namespace holdfast::testing
