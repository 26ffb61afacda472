// A workflow driven from outside: waits, polls, steps and endings over HTTP (001.20).
#include "support/runner_api.h"

#include <gtest/gtest.h>

#include <future>

#include "base/threads/threads.h"
#include "support/eventually.h"

namespace holdfast::testing {
namespace {

class OutsideRunner : public RunnerApi {
protected:
    Reply poll(const std::string& id, int index, const std::string& more = "&timeout=0s") {
        return fetch(path(id, "/wait?index=" + std::to_string(index) + more));
    }
    // Polls on a separate connection.
    std::future<Reply> poll_later(const std::string& id, int index,
                                  const std::string& more = "&timeout=60s") {
        auto answer = std::make_shared<std::promise<Reply>>();
        auto future = answer->get_future();
        const std::string target = path(id, "/wait?index=" + std::to_string(index) + more);
        pollers_.push_back(named_thread("poller", [this, answer, target](std::stop_token) {
            answer->set_value(server_.client().call(Method::get, target));
        }));
        return future;
    }
    void expect_overtaken(const Reply& reply, std::uint64_t run, std::uint64_t index) {
        EXPECT_EQ(reply.status, 409) << reply;
        EXPECT_EQ(reply.slug(), "overtaken");
        EXPECT_EQ(reply.number_at("/currentRun"), run);
        EXPECT_EQ(reply.number_at("/currentIndex"), index);
        EXPECT_FALSE(reply.text_at("/workflowStatus").empty());
    }

    std::vector<std::jthread> pollers_;
};

INSTANTIATE_TEST_SUITE_P(Stores, OutsideRunner, durable_stores(), store_name);

TEST_P(OutsideRunner, AWorkflowShowsWhereItIs) {
    const std::string id = server_.start_id();
    const Reply fresh = server_.get(id);
    EXPECT_EQ(fresh.number_at("/run"), 1u);
    EXPECT_EQ(fresh.number_at("/index"), 0u);
    for (const char* member :
         {"/waiting", "/result", "/lastError", "/lastExecutedBy", "/lastExecutedAt"})
        EXPECT_TRUE(fresh.at(member).is_null()) << member;

    const std::string other = server_.start_id();
    const Reply asleep =
        wait(id, 0,
             R"("names": ["paid"], "until": "2030-01-01T00:00:00Z", "since": "created",
                       "workflows": [")" +
                 other + "\"]");
    ASSERT_EQ(asleep.status, 200) << asleep;
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/status"), "suspended");
    EXPECT_EQ(read.text_at("/waiting/kind"), "several");
    EXPECT_EQ(read.text_at("/waiting/token"), asleep.text_at("/token"));
    EXPECT_EQ(read.text_at("/waiting/untilUtc"), "2030-01-01T00:00:00.000000Z");
    EXPECT_EQ(read.at("/waiting/names"), json_of(R"(["paid"])"));
    EXPECT_EQ(read.at("/waiting/workflows"), json_of("[\"" + other + "\"]"));
    EXPECT_EQ(read.text_at("/waiting/since"), "created");
    EXPECT_FALSE(read.at("/lastExecutedAt").is_null());
    EXPECT_EQ(fetch("/api/v1/workflows?status=suspended").at("/items/0/waiting"),
              read.at("/waiting"));
}

TEST_P(OutsideRunner, AWaitFindsWhatIsAlreadyThere) {
    const std::string id = server_.start_id();
    send(id, "paid", R"({"value": {"amount": 5}})");
    const Reply found = wait_for(id, 0, "paid");
    ASSERT_EQ(found.status, 200) << found;
    EXPECT_EQ(found.text_at("/outcome"), "delivered");
    EXPECT_EQ(found.number_at("/index"), 0u);
    EXPECT_EQ(found.at("/winner"), json_of(R"({"type": "event", "name": "paid"})"));
    EXPECT_EQ(found.at("/value"), json_of(R"({"amount": 5})"));
}

TEST_P(OutsideRunner, AWaitThatIsRepeatedIsTheSameWait) {
    const std::string id = server_.start_id();
    const Reply first = wait_for(id, 0, "paid");
    server_.restart();
    EXPECT_EQ(wait_for(id, 0, "paid").text, first.text);
    const Reply timed = wait(id, 0, R"("after": "1h")");
    EXPECT_NE(timed.text_at("/token"), first.text_at("/token"));
    EXPECT_EQ(wait(id, 0, R"("after": "1h")").text, timed.text);
}

TEST_P(OutsideRunner, ATimerThatIsDueEndsTheWaitAtOnce) {
    const std::string id = server_.start_id();
    const Reply due = wait(id, 0, R"("names": ["x"], "until": "2020-01-01T00:00:00Z")");
    EXPECT_EQ(due.text_at("/winner/type"), "timer") << due;
    EXPECT_EQ(due.text_at("/value/due"), "2020-01-01T00:00:00.000000Z");
    const Reply later = wait(id, 1, R"("after": "PT24H")");
    EXPECT_EQ(later.text_at("/outcome"), "suspended");
    EXPECT_EQ(server_.get(id).text_at("/waiting/kind"), "timer");
}

TEST_P(OutsideRunner, TheEndOfAnotherWorkflowEndsAWait) {
    const std::string id = server_.start_id();
    const std::string other = server_.start_id();
    EXPECT_EQ(wait(id, 0, R"("workflows": [")" + other + "\"]").text_at("/outcome"), "suspended");
    complete(other, 0);
    const Reply ended = poll(id, 0);
    EXPECT_EQ(ended.text_at("/winner/type"), "workflow") << ended;
    EXPECT_EQ(ended.text_at("/winner/name"), other);
    EXPECT_EQ(ended.text_at("/value/status"), "succeeded");
    const Reply unknown = wait(id, 1, R"("workflows": [")" + std::string(nobody) + "\"]");
    EXPECT_EQ(unknown.status, 404) << unknown;
    EXPECT_EQ(unknown.slug(), "unknown-workflow");
}

TEST_P(OutsideRunner, APollIsAnsweredWhenTheEventComes) {
    const std::string id = server_.start_id();
    wait_for(id, 0, "paid");
    auto answer = poll_later(id, 0);
    EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    send(id, "paid", R"({"value": 5})");
    const Reply delivered = answer.get();
    EXPECT_EQ(delivered.status, 200) << delivered;
    EXPECT_EQ(delivered.text_at("/outcome"), "delivered");
    EXPECT_EQ(delivered.at("/winner"), json_of(R"({"type": "event", "name": "paid"})"));
    EXPECT_EQ(delivered.number_at("/value"), 5u);
    EXPECT_EQ(poll(id, 0).text, delivered.text) << "a later poll reads the journal";
}

TEST_P(OutsideRunner, ManyPollsAndEventsMeet) {
    std::vector<std::string> ids;
    std::vector<std::future<Reply>> answers;
    for (int i = 0; i < 24; ++i) {
        ids.push_back(server_.start_id());
        wait_for(ids.back(), 0, "paid");
        answers.push_back(poll_later(ids.back(), 0));
    }
    for (const std::string& id : ids) send(id, "paid", "{\"value\": \"" + id + "\"}");
    for (std::size_t i = 0; i < ids.size(); ++i)
        EXPECT_EQ(answers[i].get().text_at("/value"), ids[i]);
}

TEST_P(OutsideRunner, AnEditDoesNotEndAPoll) {
    const std::string id = server_.start_id();
    wait_for(id, 0, "paid");
    auto answer = poll_later(id, 0);
    server_.patch(id, "*", R"({"state": {"n": 1}})");
    EXPECT_EQ(answer.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    send(id, "paid");
    EXPECT_EQ(answer.get().text_at("/outcome"), "delivered");
}

TEST_P(OutsideRunner, APollThatTimesOutSaysThatTheWorkflowStillWaits) {
    const std::string id = server_.start_id();
    wait_for(id, 0, "paid");
    for (const char* timeout : {"&timeout=0s", "&timeout=20ms", "&timeout=PT0.01S"}) {
        const Reply still = poll(id, 0, timeout);
        EXPECT_EQ(still.status, 200) << still;
        EXPECT_EQ(still.body, json_of(R"({"outcome": "suspended", "index": 0})"));
    }
}

TEST_P(OutsideRunner, APollLearnsThatTheWorkflowEnded) {
    const std::string id = server_.start_id();
    wait_for(id, 0, "paid");
    auto answer = poll_later(id, 0);
    post(path(id, "/cancel"));
    for (const Reply& ended : {answer.get(), poll(id, 0)}) {
        EXPECT_EQ(ended.status, 409) << ended;
        EXPECT_EQ(ended.slug(), "ended");
        EXPECT_EQ(ended.text_at("/workflowStatus"), "cancelled");
    }
}

TEST_P(OutsideRunner, APollLearnsThatTheWorkflowWasCleared) {
    const std::string id = server_.start_id();
    wait_for(id, 0, "paid");
    auto answer = poll_later(id, 0);
    server_.call(Method::del, ApiServer::path_of(id), {}, {{"If-Match", "*"}});
    EXPECT_EQ(answer.get().status, 404);
}

TEST_P(OutsideRunner, APollForAnIndexWithoutAWaitIsAConflict) {
    const std::string id = server_.start_id();
    const Reply running = poll(id, 0);
    EXPECT_EQ(running.status, 409) << running;
    EXPECT_EQ(running.slug(), "not-waiting");
    step(id, 0, "charge");
    expect_overtaken(poll(id, 0), 1, 1);
    expect_overtaken(poll(id, 7), 1, 1);
    wait_for(id, 1, "paid");
    expect_overtaken(poll(id, 1, "&run=2&timeout=0s"), 1, 1);
    EXPECT_EQ(poll(id, 1, "&run=1&timeout=0s").text_at("/outcome"), "suspended");
    EXPECT_EQ(poll(nobody, 0).status, 404);
}

TEST_P(OutsideRunner, DrainingAnswersEveryPoll) {
    const std::string id = server_.start_id();
    wait_for(id, 0, "paid");
    auto one = poll_later(id, 0);
    auto two = poll_later(id, 0);
    EXPECT_EQ(one.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    EXPECT_EQ(two.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
    server_.drain_polls();
    EXPECT_EQ(one.get().text_at("/outcome"), "suspended");
    EXPECT_EQ(two.get().text_at("/outcome"), "suspended");
    const Reply late = poll(id, 0);
    EXPECT_EQ(late.status, 503) << late;
    EXPECT_EQ(late.slug(), "shutting-down");
}

TEST_P(OutsideRunner, AStepIsRecordedOnce) {
    const std::string id = server_.start_id();
    const Reply first = step(id, 0, "charge", R"("value": {"receipt": 7})");
    ASSERT_EQ(first.status, 201) << first;
    EXPECT_EQ(first.header("Location"), path(id, "/steps/0"));
    EXPECT_EQ(first.header("ETag"), "\"2\"");
    const Reply again = step(id, 0, "charge", R"("value": {"receipt": 8})");
    EXPECT_EQ(again.status, 200) << again;
    EXPECT_EQ(again.text_at("/outcome"), "alreadyRecorded");
    EXPECT_EQ(again.at("/step/value"), json_of(R"({"receipt": 7})")) << "the first result stays";
    EXPECT_EQ(server_.get(id).number_at("/index"), 1u);
}

TEST_P(OutsideRunner, AFailedStepIsKeptAsAFailure) {
    const std::string id = server_.start_id();
    EXPECT_EQ(step(id, 0, "charge", R"("error": {"code": "declined"})").status, 201);
    const Reply shown = fetch(path(id, "/steps/0"));
    ASSERT_EQ(shown.status, 200) << shown;
    EXPECT_EQ(shown.at("/error"), json_of(R"({"code": "declined"})"));
    EXPECT_FALSE(shown.body.as_object().contains("value"));
    EXPECT_EQ(shown.text_at("/name"), "charge");
    EXPECT_EQ(shown.text_at("/inputHash"), std::string(64, 'a'));
    EXPECT_TRUE(shown.at("/winner").is_null());
}

TEST_P(OutsideRunner, AnotherStepAtARecordedIndexDiverges) {
    const std::string id = server_.start_id();
    step(id, 0, "charge");
    const Reply diverged = step(id, 0, "refund");
    EXPECT_EQ(diverged.status, 409) << diverged;
    EXPECT_EQ(diverged.slug(), "diverged");
    EXPECT_EQ(diverged.text_at("/expected/name"), "charge");
    EXPECT_EQ(diverged.text_at("/found/name"), "refund");
    EXPECT_EQ(diverged.text_at("/expected/inputHash"), std::string(64, 'a'));
    wait_for(id, 1, "paid");
    send(id, "paid");
    EXPECT_TRUE(step(id, 1, "paid").at("/expected/inputHash").is_null()) << "the entry is a wait";
}

TEST_P(OutsideRunner, AWaitIsInTheJournalWithItsWinner) {
    const std::string id = server_.start_id();
    send(id, "paid", R"({"value": 5})");
    wait_for(id, 0, "paid");
    const Reply shown = fetch(path(id, "/steps/0"));
    EXPECT_EQ(shown.at("/winner"), json_of(R"({"type": "event", "name": "paid"})"));
    EXPECT_EQ(shown.number_at("/value"), 5u);
    const Reply missing = fetch(path(id, "/steps/1"));
    EXPECT_EQ(missing.status, 404) << missing;
    EXPECT_EQ(missing.slug(), "no-such-step");
    EXPECT_EQ(fetch(path(nobody, "/steps/0")).slug(), "not-found");
}

TEST_P(OutsideRunner, AnOvertakenRunGetsTheCurrentRunAndIndex) {
    const std::string id = server_.start_id();
    step(id, 0, "charge");
    const std::string wrong = R"({"run": 1, "index": 5, "names": ["x"]})";
    expect_overtaken(post(path(id, "/wait"), wrong), 1, 1);
    expect_overtaken(step(id, 5, "ship"), 1, 1);
    for (const char* route : {"/complete", "/fail", "/continue-as"}) {
        expect_overtaken(post(path(id, route), R"({"run": 1, "index": 0})"), 1, 1);
        expect_overtaken(post(path(id, route), R"({"run": 2, "index": 1})"), 1, 1);
    }
    wait_for(id, 1, "paid");
    expect_overtaken(complete(id, 1), 1, 1);
    expect_overtaken(step(id, 1, "ship"), 1, 1);
}

TEST_P(OutsideRunner, AWorkflowIsCompletedWithItsResult) {
    const std::string id = server_.start_id();
    const Reply done = complete(id, 0);
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(done.text_at("/status"), "succeeded");
    EXPECT_EQ(done.header("ETag"), "\"2\"");
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/status"), "succeeded");
    EXPECT_EQ(read.at("/result"), json_of(R"({"done": true})"));
    const Reply again = complete(id, 0);
    EXPECT_EQ(again.status, 409) << again;
    EXPECT_EQ(again.text_at("/workflowStatus"), "succeeded");
}

TEST_P(OutsideRunner, AWorkflowFailsWithItsError) {
    const std::string id = server_.start_id();
    const Reply failed =
        post(path(id, "/fail"), R"({"run": 1, "index": 0, "code": "declined", "error": {"n": 1}})");
    ASSERT_EQ(failed.status, 200) << failed;
    EXPECT_EQ(failed.text_at("/status"), "failed");
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/lastError"), "declined");
    EXPECT_EQ(read.at("/result"), json_of(R"({"code": "declined", "error": {"n": 1}})"));
    EXPECT_EQ(post(path(server_.start_id(), "/fail"), R"({"run": 1, "index": 0})").status, 200);
}

TEST_P(OutsideRunner, TheNextRunBeginsWithItsArgumentsAndKeepsQueuedEvents) {
    const std::string id = server_.start_id();
    step(id, 0, "page-1");
    send(id, "stop");
    const Reply next =
        post(path(id, "/continue-as"), R"({"run": 1, "index": 1, "arguments": {"page": 2}})");
    ASSERT_EQ(next.status, 200) << next;
    EXPECT_EQ(next.number_at("/run"), 2u);
    EXPECT_EQ(next.number_at("/index"), 1u);
    const Reply arguments = fetch(path(id, "/steps/0"));
    EXPECT_EQ(arguments.text_at("/name"), "arguments");
    EXPECT_EQ(arguments.at("/value"), json_of(R"({"page": 2})"));
    expect_overtaken(step(id, 1, "page-2"), 2, 1);
    const Reply taken = post(path(id, "/wait"), R"({"run": 2, "index": 1, "names": ["stop"]})");
    EXPECT_EQ(taken.text_at("/outcome"), "delivered") << taken;
}

TEST_P(OutsideRunner, APausedWorkflowTakesItsEventsWhenItIsResumed) {
    const std::string id = server_.start_id();
    wait_for(id, 0, "paid");
    const Reply paused = post(path(id, "/pause"), {}, {{"If-Match", "\"2\""}});
    ASSERT_EQ(paused.status, 200) << paused;
    EXPECT_TRUE(paused.at("/paused").as_bool());
    EXPECT_EQ(paused.header("ETag"), "\"3\"");
    EXPECT_TRUE(server_.get(id).at("/paused").as_bool());
    auto answer = poll_later(id, 0);
    EXPECT_EQ(send(id, "paid", R"({"value": 5})").status, 202);
    const Reply resumed = post(path(id, "/resume"), {}, {{"If-Match", "*"}});
    ASSERT_EQ(resumed.status, 200) << resumed;
    EXPECT_FALSE(resumed.at("/paused").as_bool());
    EXPECT_EQ(answer.get().number_at("/value"), 5u);
    EXPECT_FALSE(server_.get(id).at("/paused").as_bool());
}

TEST_P(OutsideRunner, PauseAndResumeNameTheVersionTheySaw) {
    const std::string id = server_.start_id(R"({"n": 1})");
    for (const char* route : {"/pause", "/resume"}) {
        EXPECT_EQ(post(path(id, route)).status, 400);
        const Reply stale = post(path(id, route), {}, {{"If-Match", "\"9\""}});
        EXPECT_EQ(stale.status, 409) << stale;
        EXPECT_EQ(stale.slug(), "stale-version");
        EXPECT_EQ(stale.at("/currentState"), json_of(R"({"n": 1})"));
        EXPECT_EQ(post(path(nobody, route), {}, {{"If-Match", "*"}}).status, 404);
    }
    EXPECT_EQ(server_.conflicts("rejected"), 2u);
    complete(id, 0);
    EXPECT_EQ(post(path(id, "/pause"), {}, {{"If-Match", "*"}}).slug(), "ended");
}

TEST_P(OutsideRunner, ARepeatedPauseGetsTheFirstAnswer) {
    const std::string id = server_.start_id();
    const Fields fields{{"If-Match", "\"1\""}, {"Idempotency-Key", "pause-1"}};
    const Reply first = post(path(id, "/pause"), {}, fields);
    server_.restart();
    EXPECT_EQ(post(path(id, "/pause"), {}, fields).text, first.text);
    EXPECT_EQ(post(path(id, "/resume"), {}, fields).status, 422);
}

TEST_P(OutsideRunner, AnAnswerKeptBeforeThereWereRunnersIsStillGiven) {
    const std::string body = R"({"definition": "order"})";
    server_.start_id();
    const Reply first = post("/api/v1/workflows", body, {{"Idempotency-Key", "old"}});
    const bool postgres = std::string(GetParam()) == "postgres";
    std::string without = postgres ? "(outcome::jsonb" : "json_remove(outcome";
    for (const std::string member :
         {"run", "index", "waiting", "result", "lastError", "lastExecutedBy", "lastExecutedAt"})
        without += postgres ? " #- '{instance," + member + "}'" : ", '$.instance." + member + "'";
    server_.tamper("update operations set outcome = " + without + (postgres ? ")::text" : ")"));
    EXPECT_EQ(post("/api/v1/workflows", body, {{"Idempotency-Key", "old"}}).text, first.text);
}

TEST(OpenPolls, OneMoreThanTheLimitIsRefusedWithRetryAfter) {
    ApiServer server("sqlite", {.open_polls = 1});
    const std::string id = server.start_id();
    const std::string route = ApiServer::path_of(id) + "/wait";
    server.call(Method::post, route, R"({"run": 1, "index": 0, "names": ["x"]})");
    std::promise<Reply> answer;
    const std::jthread poller = named_thread("poller", [&](std::stop_token) {
        Reply reply;
        EXPECT_TRUE(eventually([&] {  // until this poll is the open one
            reply = server.client().call(Method::get, route + "?index=0&timeout=60s");
            return reply.status != 429;
        }));
        answer.set_value(reply);
    });
    Reply refused;
    EXPECT_TRUE(eventually([&] {  // until the other poll is open
        refused = server.call(Method::get, route + "?index=0&timeout=0s");
        return refused.status == 429;
    })) << refused;
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_EQ(server.call(Method::post, ApiServer::path_of(id) + "/events/x").status, 200);
    EXPECT_EQ(answer.get_future().get().text_at("/outcome"), "delivered");
    EXPECT_EQ(server.call(Method::get, route + "?index=0&timeout=0s").status, 200);
}

// 001.2: the wait goes on without its timer.
TEST_P(OutsideRunner, TheTimersOfAWaitAreCancelled) {
    const std::string id = server_.start_id();
    ASSERT_EQ(wait(id, 0, R"("names": ["paid"], "after": "1h")").text_at("/outcome"), "suspended");
    const std::string token = server_.get(id).text_at("/waiting/token");
    const Reply done = post(path(id, "/cancel-timers"));
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(done.number_at("/cancelled"), 1u);
    EXPECT_EQ(done.number_at("/version"), server_.get(id).number_at("/version"));
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/status"), "suspended");
    EXPECT_NE(read.text_at("/waiting/token"), token);
    EXPECT_EQ(read.text_at("/waiting/kind"), "event") << read;
    EXPECT_EQ(post(path(id, "/cancel-timers")).number_at("/cancelled"), 0u);
    EXPECT_EQ(send(id, "paid").text_at("/outcome"), "delivered");
    EXPECT_EQ(post(path("01890a5d-ac96-774b-bcce-000000000009", "/cancel-timers")).status, 404);
}

}  // namespace
}  // namespace holdfast::testing
