// Jobs of processes on every store: made, claimed, ended, failed; and done by the workers of a
// node.
#include <gtest/gtest.h>

#include <atomic>
#include <latch>

#include "engine/process_world.h"
#include "holdfast/node.h"
#include "model/job.h"
#include "support/eventually.h"
#include "support/server_client.h"

namespace holdfast::testing {
namespace {

using Elements = std::vector<std::string>;

std::string service(const std::string& id, const std::string& type,
                    const std::string& retries = "2") {
    return "<serviceTask id='" + id + "'><extensionElements><zeebe:taskDefinition type='" + type +
           "' retries='" + retries + "'/></extensionElements></serviceTask>";
}

std::string charged_model() {
    return model("<startEvent id='s'/>" + service("charge", "charge") + "<endEvent id='e'/>" +
                 flow("s", "charge") + flow("charge", "e"));
}

std::string parallel_model(const std::string& more = "", const std::string& beside = "") {
    return model("<startEvent id='s'/><parallelGateway id='f'/><parallelGateway id='j'/>" +
                     service("a", "work") + service("b", "work") + "<endEvent id='e'/>" +
                     flow("s", "f") + flow("f", "a") + flow("f", "b") + flow("a", "j") +
                     flow("b", "j") + flow("j", "e") + more,
                 beside);
}

class Jobs : public ProcessWorld {
protected:
    void join() {
        if (node) return;
        node = world.ids.next<NodeId>();
        EXPECT_TRUE(world.store->join({*node, "node", std::chrono::hours(1)}).has_value());
    }
    // By a node that has joined for this.
    std::vector<SignalRow> claim(const std::string& type) {
        join();
        auto claimed = world.store->claim({.node = *node, .programs = {program_of_jobs(type)}});
        EXPECT_TRUE(claimed.has_value());
        return claimed->signals;
    }
    op::EndJob::Outcome end(const SignalRow& job, const std::string& result) {
        return world.run(op::EndJob{.cause = world.cause(),
                                    .instance = job.instance,
                                    .signal = job.id,
                                    .lease = {*job.leased_by, job.epoch},
                                    .result = document(result)});
    }

    std::optional<NodeId> node;
};

TEST_P(Jobs, AServiceTaskIsAJobUntilAWorkerHasDoneIt) {
    deploy(charged_model());
    const InstanceId id = start(R"({"amount": 5})");
    reload();
    EXPECT_EQ(kind_of(world.read(id).waits.front()), WaitingKind::job);
    EXPECT_TRUE(claim("another").empty());
    const auto jobs = claim("charge");
    ASSERT_EQ(jobs.size(), 1u);
    const auto spec = job_in(jobs[0]);
    ASSERT_TRUE(spec.has_value());
    EXPECT_EQ(spec->element, "charge");
    EXPECT_EQ(spec->retries, 2u);
    EXPECT_TRUE(claim("charge").empty());
    const auto ended = end(jobs[0], R"({"variables": {"paid": true}})");
    EXPECT_TRUE(std::get<op::JobEnded>(ended).taken);
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"amount": 5, "paid": true})"));
    // Sent twice.
    EXPECT_TRUE(std::holds_alternative<op::LeaseLost>(end(jobs[0], R"({"variables": {}})")));
}

TEST_P(Jobs, AJobThatFailedForGoodIsAnIncidentThatARetryHeals) {
    deploy(charged_model());
    const InstanceId id = start();
    end(claim("charge").at(0), R"({"failed": "no connection"})");
    EXPECT_TRUE(world.read(id).incident);
    EXPECT_EQ(world.read(id).last_error, "job_failed");
    EXPECT_TRUE(claim("charge").empty());
    send("retry:charge", id);
    EXPECT_FALSE(world.read(id).incident);
    const auto again = claim("charge");
    ASSERT_EQ(again.size(), 1u);
    end(again[0], R"({"variables": {}})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(Jobs, TheModelSaysHowOftenAndAfterWhichPauses) {
    const auto spec_of = [&](const std::string& cycle) {
        std::string xml = model(
            "<startEvent id='s'/><serviceTask id='charge' camunda:type='external' "
            "camunda:topic='charge'><extensionElements><camunda:failedJobRetryTimeCycle>" +
            cycle + "</camunda:failedJobRetryTimeCycle></extensionElements></serviceTask>" +
            flow("s", "charge"));
        xml.insert(xml.find(" targetNamespace"),
                   " xmlns:camunda='http://camunda.org/schema/1.0/bpmn'");
        deploy(xml);
        start();
        return *job_in(claim("charge").at(0));
    };
    const JobSpec same = spec_of("R5/PT10M");
    EXPECT_EQ(same.retries, 5u);
    EXPECT_EQ(pause_after(same, 4), std::chrono::minutes(10));
    const JobSpec longer = spec_of("PT1M,PT5M");
    EXPECT_EQ(longer.retries, 3u);
    EXPECT_EQ(pause_after(longer, 1), std::chrono::minutes(1));
    EXPECT_EQ(pause_after(longer, 2), std::chrono::minutes(5));
    EXPECT_EQ(pause_after(longer, 9), std::chrono::minutes(5));
}

TEST_P(Jobs, ABoundaryEventCatchesTheErrorOfAJob) {
    deploy(model("<startEvent id='s'/>" + service("charge", "charge") +
                     "<boundaryEvent id='b' attachedToRef='charge'><errorEventDefinition "
                     "errorRef='no-money'/></boundaryEvent><endEvent id='e'/><userTask id='t'/>" +
                     flow("s", "charge") + flow("charge", "e") + flow("b", "t") + flow("t", "e"),
                 "<error id='no-money' errorCode='BROKE'/>"));
    const InstanceId id = start();
    end(claim("charge").at(0), R"({"error": "BROKE"})");
    EXPECT_EQ(active(id), Elements{"t"});
}

TEST_P(Jobs, AJobOfAnActivityThatEndedIsGone) {
    deploy(model("<startEvent id='s'/>" + service("charge", "charge") +
                     "<boundaryEvent id='b' attachedToRef='charge'><messageEventDefinition "
                     "messageRef='m'/></boundaryEvent><endEvent id='e'/><endEvent id='f'/>" +
                     flow("s", "charge") + flow("charge", "e") + flow("b", "f"),
                 "<message id='m' name='stop'/>"));
    const InstanceId unclaimed = start();
    send("stop", unclaimed);
    EXPECT_EQ(world.read(unclaimed).status, Status::succeeded);
    EXPECT_TRUE(claim("charge").empty());
    const InstanceId claimed = start();
    const auto jobs = claim("charge");
    ASSERT_EQ(jobs.size(), 1u);
    send("stop", claimed);
    EXPECT_TRUE(std::holds_alternative<op::LeaseLost>(end(jobs[0], R"({"variables": {}})")));
    const InstanceId cancelled = start();
    world.run(op::Cancel{.cause = world.cause(), .instance = cancelled});
    EXPECT_TRUE(claim("charge").empty());
}

TEST_P(Jobs, OfOneInstanceAreClaimedSideBySide) {
    deploy(parallel_model());
    const InstanceId id = start();
    const auto jobs = claim("work");
    ASSERT_EQ(jobs.size(), 2u);
    end(jobs[1], R"({"variables": {}})");
    end(jobs[0], R"({"variables": {}})");
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

// As many as it has room for; the others anybody may claim.
TEST_P(Jobs, ThatThisNodeCanDoAreLeasedToItAsTheyAreMade) {
    deploy(parallel_model());
    join();
    world.self = {.node = node, .programs = {program_of_jobs("work")}, .room_for_jobs = 1};
    const InstanceId id = start();
    world.self = {};
    const auto others = claim("work");
    ASSERT_EQ(others.size(), 1u);
    SignalRow held{.instance = id, .leased_by = node, .epoch = 1};
    for (const Activity& activity : world.read(id).children.active)
        if (activity.id.value != others[0].id.value) held.id = {activity.id.value};
    EXPECT_TRUE(std::get<op::JobEnded>(end(held, R"({"variables": {"one": 1}})")).taken);
    EXPECT_TRUE(std::get<op::JobEnded>(end(others[0], R"({"variables": {"two": 2}})")).taken);
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(variables(id), document(R"({"one": 1, "two": 2})"));
}

TEST_P(Jobs, ThatThisNodeHasNoWorkerForAreFree) {
    deploy(charged_model());
    join();
    world.self = {.node = node, .programs = {program_of_jobs("another")}, .room_for_jobs = 9};
    start();
    world.self = {};
    EXPECT_EQ(claim("charge").size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Jobs, all_stores(), store_name);

class Workers : public ::testing::TestWithParam<const char*> {
protected:
    StorePlace place{GetParam()};
    NodeOptions options() const { return {.store = place.url(), .workers = 4, .log_level = "off"}; }
};

TEST_P(Workers, DoTheJobsOfAProcess) {
    Node node(options());
    node.work("charge", [](const Job& job) -> Json {
        return boost::json::object{{"paid", job.variables.at("amount")}};
    });
    EXPECT_EQ(node.deploy(charged_model()), std::vector<std::string>{"p"});
    const boost::json::object state{{"variables", {{"amount", 5}}}};
    const std::string id = node.start("p", StartOptions{.state = state});
    EXPECT_EQ(node.result<Json>(id).at("paid"), 5);
}

// They come with the commit that makes them; the second one waits for the only worker, and is told
// what has become of the process meanwhile.
TEST_P(Workers, OfTheNodeThatMakesTheJobsClaimNothing) {
    NodeOptions small = options();
    small.workers = 1;
    Node node(small);
    std::vector<bool> told;
    node.work("work", [&](const Job& job) -> Json {
        told.push_back(job.variables.as_object().contains("more"));
        if (told.size() == 1) node.send(job.workflow, "news", boost::json::object{{"more", 1}});
        return nullptr;
    });
    node.deploy(
        parallel_model("<boundaryEvent id='n' attachedToRef='a' cancelActivity='false'>"
                       "<messageEventDefinition messageRef='m'/></boundaryEvent>"
                       "<boundaryEvent id='o' attachedToRef='b' cancelActivity='false'>"
                       "<messageEventDefinition messageRef='m'/></boundaryEvent>"
                       "<endEvent id='q'/>" +
                           flow("n", "q") + flow("o", "q"),
                       "<message id='m' name='news'/>"));
    ServerClient client(node.serve("127.0.0.1:0"));
    node.result<Json>(node.start("p"));
    EXPECT_EQ(told, (std::vector{false, true}));
    EXPECT_EQ(client.metric("holdfast_signals_claimed_total"), 0);
}

TEST_P(Workers, TryAgainAndThrowErrorsOfTheModel) {
    Node node(options());
    std::atomic<int> attempts = 0;
    node.work("charge", [&](const Job& job) -> Json {
        if (++attempts == 1) throw std::runtime_error("no connection");
        return boost::json::object{{"attempt", job.attempt}};
    });
    node.deploy(charged_model());
    EXPECT_EQ(node.result<Json>(node.start("p")).at("attempt"), 2);
}

// The end of the job is not taken while its process is paused, and that was no attempt.
TEST_P(Workers, DoTheJobAgainThatEndedWhileItsProcessWasPaused) {
    Node node(options());
    std::latch begun(1);
    std::latch paused(1);
    std::atomic<int> attempts = 0;
    node.work("charge", [&](const Job& job) -> Json {
        if (++attempts == 1) {
            begun.count_down();
            paused.wait();
        }
        return boost::json::object{{"attempt", job.attempt}};
    });
    node.deploy(charged_model());
    const std::string id = node.start("p");
    ServerClient client(node.serve("127.0.0.1:0"));
    begun.wait();
    const auto held = [&] { return client.metric("holdfast_work_held"); };
    ASSERT_TRUE(eventually([&] { return held() == 1; }));
    EXPECT_EQ(client.change("/api/v1/workflows/" + id + "/pause", "*", "{}")->status, 200);
    paused.count_down();
    ASSERT_TRUE(eventually([&] { return held() == 0; }));
    EXPECT_EQ(client.change("/api/v1/workflows/" + id + "/resume", "*", "{}")->status, 200);
    EXPECT_EQ(node.result<Json>(id).at("attempt"), 1);
    EXPECT_EQ(attempts, 2);
}

// Whatever the node thinks of other signals.
TEST_P(Workers, TryAsOftenAsTheModelSays) {
    NodeOptions few = options();
    few.most_attempts = 1;
    Node node(few);
    node.work("charge", [&](const Job& job) -> Json {
        if (job.attempt < 3) throw std::runtime_error("no connection");
        return boost::json::object{{"attempt", job.attempt}};
    });
    node.deploy(model("<startEvent id='s'/><endEvent id='e'/>" + service("a", "charge", "3") +
                      flow("s", "a") + flow("a", "e")));
    EXPECT_EQ(node.result<Json>(node.start("p")).at("attempt"), 3);
}

TEST_P(Workers, DoTheJobsOfOneProcessSideBySide) {
    Node node(options());
    std::latch both(2);
    node.work("work", [&](const Job&) -> Json {
        both.arrive_and_wait();
        return nullptr;
    });
    node.deploy(parallel_model());
    const std::string id = node.start("p");
    node.result<Json>(id);
    EXPECT_EQ(node.status(id), "succeeded");
}

// The lost thread is the only worker, so another one must take its place.
TEST_P(Workers, ThatHangLetTheirJobAndTheOthersGoOn) {
    NodeOptions small = options();
    small.workers = 1;
    small.step_limit = std::chrono::milliseconds(100);
    std::latch go(1);
    std::atomic<int> attempts = 0;
    std::atomic<int> returned = 0;
    std::atomic<std::uint32_t> most = 0;
    {
        Node node(small);
        node.work("charge", [&](const Job& job) -> Json {
            ++attempts;
            most = std::max(most.load(), job.attempt);
            if (job.attempt == 1 || job.variables.as_object().contains("always")) go.wait();
            ++returned;
            return boost::json::object{{"attempt", job.attempt}};
        });
        node.deploy(charged_model());
        EXPECT_EQ(node.result<Json>(node.start("p")).at("attempt"), 2);
        EXPECT_EQ(returned, 1);
        ServerClient client(node.serve("127.0.0.1:0"));
        EXPECT_EQ(client.metric(R"(holdfast_given_up_total{what="job"})"), 1);
        const boost::json::object always{{"variables", {{"always", true}}}};
        const std::string id = node.start("p", StartOptions{.state = always});
        // The model allows two attempts; the incident is healed by a retry.
        EXPECT_TRUE(eventually([&] {
            node.send(id, "retry:charge", 1);
            return attempts >= 5;
        }));
        EXPECT_EQ(most, 2u);
        EXPECT_GE(client.metric(R"(holdfast_given_up_total{what="job"})"), 3);
        go.count_down();
        node.result<Json>(id);
    }
    EXPECT_EQ(returned, attempts) << "the lost threads ended with the node";
}

INSTANTIATE_TEST_SUITE_P(Stores, Workers, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
