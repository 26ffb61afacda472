// A node that serves HTTP while it runs flows.
#include <gtest/gtest.h>

#include <atomic>
#include <boost/json.hpp>
#include <latch>

#include "holdfast/node.h"
#include "support/eventually.h"
#include "support/server_client.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

Flow<std::string> order(Context& ctx, std::string item) {
    boost::json::object waiting;
    waiting["step"] = "waiting";
    co_await ctx.set_state(waiting);
    const int paid = co_await ctx.event<int>("payment");
    co_return item + " for " + std::to_string(paid);
}

class ServedOn : public ::testing::TestWithParam<const char*> {
protected:
    StorePlace place{GetParam()};
    Node node{NodeOptions{.store = place.url(), .workers = 4, .log_level = "off"}};

    static std::string start(ServerClient& client, const std::string& body) {
        const auto started = client.post("/api/v1/workflows", body);
        EXPECT_TRUE(started && started->status == 201);
        return std::string(started->body.at("id").as_string());
    }
};

TEST_P(ServedOn, AFlowIsStartedMovedAndReadOverHttp) {
    node.add("order", order);
    const std::string url = node.serve("127.0.0.1:0");
    ServerClient client(url);
    const std::string id = start(client, R"({"definition": "order", "arguments": ["tea"]})");
    const std::string path = "/api/v1/workflows/" + id;

    const auto not_yet = client.get(path + "/result?timeout=0s");
    ASSERT_TRUE(not_yet);
    EXPECT_EQ(not_yet->status, 202);
    EXPECT_EQ(not_yet->body.at("result"), nullptr);

    // The long poll starts before the workflow ends.
    std::jthread sender([&] {
        EXPECT_TRUE(eventually([&] { return node.status(id) == "suspended"; }));
        ServerClient other(url);
        const auto sent = other.post(path + "/events/payment", R"({"value": 12})");
        EXPECT_TRUE(sent && sent->status == 200);
    });
    const auto ended = client.get(path + "/result?timeout=60s");
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->status, 200);
    EXPECT_EQ(ended->body.at("status"), "succeeded");
    EXPECT_EQ(ended->body.at("result"), "tea for 12");
    EXPECT_EQ(client.must_get(path).at("state").at("step"), "waiting");
    EXPECT_EQ(node.result<std::string>(id), "tea for 12");
}

TEST_P(ServedOn, AWrongArgumentOverHttpFailsTheFlowWithItsName) {
    node.add("order", order);
    ServerClient client(node.serve("127.0.0.1:0"));
    const std::string id = start(client, R"({"definition": "order", "arguments": [5]})");
    const Json ended = client.must_get("/api/v1/workflows/" + id + "/result?timeout=60s");
    EXPECT_EQ(ended.at("status"), "failed");
    EXPECT_EQ(ended.at("result").at("code"), "misuse");
    const std::string message(ended.at("result").at("error").at("message").as_string());
    EXPECT_TRUE(message.starts_with("flow 'order', argument 1: ")) << message;
}

TEST_P(ServedOn, BlockedStepsHoldNothingElseUp) {
    constexpr int blocked = 64;
    std::atomic<int> inside = 0;
    std::latch go(1);
    node.add("order", order);
    node.add("block", [&](Context& ctx) -> Flow<> {
        co_await ctx.step("block", [&] {
            ++inside;
            go.wait();
        });
    });
    // More than the workers: some run, the others are queued.
    std::vector<std::string> ids;
    for (int i = 0; i < blocked; ++i) ids.push_back(node.start("block"));
    ASSERT_TRUE(eventually([&] { return inside >= 4; }));

    ServerClient client(node.serve("127.0.0.1:0"));
    const std::string id = start(client, R"({"definition": "block", "state": {"n": 0}})");
    Version version = 1;
    for (int i = 1; i <= 100; ++i) {
        const auto edited = client.patch(
            {.id = id, .expected = version, .body = R"({"n": )" + std::to_string(i) + "}"});
        ASSERT_TRUE(edited && edited->status == 200) << (edited ? edited->status : 0);
        version = edited->body.at("version").to_number<Version>();
    }
    EXPECT_EQ(node.state(id).at("n"), 100);
    EXPECT_EQ(node.send(id, "hello"), Sent::queued);
    EXPECT_EQ(inside, 4);
    go.count_down();
    for (const std::string& each : ids) node.result(each);
    node.result(id);
    EXPECT_EQ(inside, blocked + 1);
}

TEST_P(ServedOn, AnEditDuringAStepHarmsNeither) {
    std::atomic<int> runs = 0;
    std::latch inside(1);
    std::latch go(1);
    node.add("work", [&](Context& ctx) -> Flow<int> {
        const int made = co_await ctx.step("work", [&] {
            inside.count_down();
            go.wait();
            return ++runs;
        });
        const Json state = co_await ctx.state();
        co_return made * 10 + state.at("n").to_number<int>();
    });
    ServerClient client(node.serve("127.0.0.1:0"));
    const std::string id = start(client, R"({"definition": "work", "state": {"n": 1}})");
    inside.wait();
    const auto edited = client.patch({.id = id, .expected = 1, .body = R"({"n": 2})"});
    ASSERT_TRUE(edited);
    EXPECT_EQ(edited->status, 200);
    go.count_down();
    EXPECT_EQ(node.result<int>(id), 12);
    EXPECT_EQ(runs, 1);
}

TEST_P(ServedOn, AFlowIsFoundByItsBusinessKey) {
    node.add("order", order);
    const std::string id = node.start("order", "tea", StartOptions{.business_key = "order-77"});
    ServerClient client(node.serve("127.0.0.1:0"));
    const Json found = client.must_get("/api/v1/workflows?businessKey=order-77&definition=order");
    ASSERT_EQ(found.at("items").as_array().size(), 1);
    EXPECT_EQ(found.at("items").at(0).at("id"), Json(id));
}

TEST_P(ServedOn, AFlowThatDivergedGoesOnWhenTheRightProgramIsBack) {
    std::atomic<bool> urgent = true;
    std::atomic<int> runs = 0;
    node.add("ship", [&](Context& ctx) -> Flow<std::string> {
        const std::string how = urgent ? "fly" : "sail";
        co_await ctx.step(how, [&] { ++runs; });
        const auto where = co_await ctx.event<std::string>("arrived");
        co_return how + " to " + where;
    });
    ServerClient client(node.serve("127.0.0.1:0"));
    const std::string id = start(client, R"({"definition": "ship"})");
    ASSERT_TRUE(eventually([&] { return node.status(id) == "suspended"; }));
    ASSERT_TRUE(eventually([&] {
        node.evict();
        return node.live() == 0;
    }));
    urgent = false;
    node.send(id, "arrived", "Oslo");
    Json letters;
    ASSERT_TRUE(eventually([&] {
        letters = client.must_get("/api/v1/dead-letters?workflow=" + id);
        return !letters.at("items").as_array().empty();
    }));
    const Json& letter = letters.at("items").at(0);
    EXPECT_EQ(letter.at("reason"), "inconsistentSnapshot");
    EXPECT_EQ(letter.at("detail"),
              "flow 'ship' diverged at 1: the program has step 'sail', the journal has 'fly'. "
              "Deploy the program that wrote the journal and redrive the dead letter, or cancel "
              "the workflow");
    EXPECT_TRUE(client.must_get("/api/v1/workflows/" + id).at("incident").as_bool());
    EXPECT_THROW(node.result<std::string>(id), WorkflowStopped);
    const auto stopped = client.get("/api/v1/workflows/" + id + "/result");
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->status, 409);
    EXPECT_EQ(client.metric(R"(holdfast_signals_buried_total{reason="inconsistentSnapshot"})"), 1);

    urgent = true;
    const std::string letter_id(letter.at("id").as_string());
    const auto redriven = client.post("/api/v1/dead-letters/" + letter_id + "/redrive", "");
    ASSERT_TRUE(redriven);
    EXPECT_EQ(redriven->status, 202);
    EXPECT_EQ(node.result<std::string>(id), "fly to Oslo");
    EXPECT_EQ(runs, 1);
}

class StrandedOn : public ::testing::TestWithParam<const char*> {};

TEST_P(StrandedOn, AWorkflowWhoseProgramNobodyHasIsAnIncidentUntilSomebodyBringsIt) {
    const StorePlace place(GetParam());
    NodeOptions options{.store = place.url(), .log_level = "off"};
    options.missing_program_after = 50ms;
    Node node{options};
    ServerClient client(node.serve("127.0.0.1:0"));
    ASSERT_EQ(client.define("parcel", R"({"runner": "worker"})")->status, 201);
    const auto started = client.post("/api/v1/workflows", R"({"definition": "parcel"})");
    ASSERT_EQ(started->status, 201);
    const std::string path = "/api/v1/workflows/" + std::string(started->body.at("id").as_string());
    EXPECT_TRUE(eventually([&] { return client.must_get(path).at("incident").as_bool(); }));
    EXPECT_TRUE(eventually([&] { return client.metric("holdfast_stranded_workflows") == 1; }));
    EXPECT_EQ(client.must_get("/api/v1/stranded").at("items").as_array().size(), 1u);

    const auto worker =
        client.post("/api/v1/workers", R"({"name": "w", "definitions": ["parcel"]})");
    ASSERT_EQ(worker->status, 201);
    const auto claimed = client.post(
        "/api/v1/workers/" + std::string(worker->body.at("id").as_string()) + "/claim", "{}");
    ASSERT_EQ(claimed->status, 200);
    const Json& item = claimed->body.at("items").at(0);
    const auto ended = client.post(
        path + "/complete",
        boost::json::serialize(boost::json::object{
            {"run", item.at("run")}, {"index", item.at("index")}, {"lease", item.at("lease")}}));
    ASSERT_EQ(ended->status, 200);
    EXPECT_FALSE(client.must_get(path).at("incident").as_bool());
    EXPECT_TRUE(eventually([&] { return client.metric("holdfast_stranded_workflows") == 0; }));
}

INSTANTIATE_TEST_SUITE_P(Stores, StrandedOn, all_stores(), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, ServedOn, all_stores(), store_name);

TEST(Served, AsManyStepsBlockAtOnceAsThereAreWorkers) {
    constexpr int blocked = 64;
    Node wide{NodeOptions{.store = "memory:", .workers = blocked, .log_level = "off"}};
    std::latch all(blocked);
    wide.add("meet", [&](Context& ctx) -> Flow<> {
        co_await ctx.step("meet", [&] { all.arrive_and_wait(); });
    });
    std::vector<std::string> ids;
    for (int i = 0; i < blocked; ++i) ids.push_back(wide.start("meet"));
    for (const std::string& each : ids) wide.result(each);
}

// What `serve` says against these options; empty: it serves.
std::string refusal(const NodeOptions& options, const std::string& address) {
    Node node{options};
    try {
        node.serve(address);
        return {};
    } catch (const Misuse& misuse) {
        return misuse.what();
    }
}

TEST(Served, BeyondLoopbackATokenAndAProxyOrTlsAreNeeded) {
    NodeOptions options{.store = "memory:", .log_level = "off", .token = "0123456789abcdef"};
    EXPECT_NE(refusal(options, "0.0.0.0:0").find("plain HTTP"), std::string::npos);
    options.behind_proxy = {"127.0.0.1"};
    EXPECT_EQ(refusal(options, "127.0.0.1:0"), "");
    options.token.clear();
    for (const char* address : {"0.0.0.0:0", "127.0.0.1:0"})
        EXPECT_NE(refusal(options, address).find("NodeOptions::token"), std::string::npos);
    EXPECT_NE(refusal({.store = "memory:", .log_level = "off"}, "nonsense"), "");
}

}  // namespace
}  // namespace holdfast::testing
