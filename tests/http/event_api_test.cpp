// Sending events over HTTP and reading their fates (001.4, 001.5, 001.8).
#include <gtest/gtest.h>

#include <future>

#include "base/threads/threads.h"
#include "support/eventually.h"
#include "support/forwarding_store.h"
#include "support/held_commit.h"
#include "support/runner_api.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

constexpr const char* some_event = "01890a5d-ac96-774b-bcce-000000000001";

class EventApi : public RunnerApi {};

INSTANTIATE_TEST_SUITE_P(Stores, EventApi, durable_stores(), store_name);

TEST_P(EventApi, AnEventForAWaitingWorkflowIsDelivered) {
    const std::string id = server_.start_id();
    ASSERT_EQ(wait_for(id, 0, "paid").text_at("/outcome"), "suspended");
    const Reply sent = send(id, "paid", R"({"value": {"amount": 5}})");
    ASSERT_EQ(sent.status, 200) << sent;
    EXPECT_EQ(sent.text_at("/outcome"), "delivered");
    EXPECT_EQ(sent.text_at("/workflow"), id);
    EXPECT_EQ(sent.number_at("/index"), 0u);
    EXPECT_EQ(sent.header("Location"), "/api/v1/event-fates/" + sent.text_at("/id"));
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/status"), "running");
    EXPECT_EQ(read.number_at("/index"), 1u);
}

// 001.21
TEST_P(EventApi, AnEventEndsOnlyAWaitWithItsCorrelationKey) {
    const std::string id = server_.start_id();
    const std::string wait =
        R"({"run": 1, "index": 0, "names": [{"name": "paid", "correlationKey": "A-1"}, "x"]})";
    const Reply asleep = server_.call(Method::post, path(id, "/wait"), wait);
    ASSERT_EQ(asleep.text_at("/outcome"), "suspended") << asleep;
    const auto send = [&](const std::string& key) {
        return server_.call(Method::post, "/api/v1/events",
                            R"({"name": "paid", "correlationKey": ")" + key + R"("})");
    };
    EXPECT_EQ(send("A-2").status, 202);
    EXPECT_EQ(send("").status, 202);
    EXPECT_EQ(server_.get(id).text_at("/waits/0/names/0/correlationKey"), "A-1");
    EXPECT_EQ(server_.get(id).text_at("/waits/0/names/1"), "x");
    const Reply sent = send("A-1");
    EXPECT_EQ(sent.status, 200) << sent;
    EXPECT_EQ(sent.text_at("/workflow"), id);
    for (const char* bad : {R"([{"name": "a"}])", R"([7])", R"(["a", "a"])",
                            R"([{"name": "a", "correlationKey": "k", "more": 1}])"}) {
        const std::string body = R"({"run": 1, "index": 1, "names": )" + std::string(bad) + "}";
        EXPECT_EQ(server_.call(Method::post, path(id, "/wait"), body).status, 400) << bad;
    }
}

// 001.22
TEST_P(EventApi, ADelayedEventIsScheduledShownAndCancelled) {
    const std::string id = server_.start_id();
    ASSERT_EQ(wait_for(id, 0, "paid").text_at("/outcome"), "suspended");
    const Reply sent = send(id, "paid", R"({"value": 1, "after": "1h"})");
    ASSERT_EQ(sent.status, 202) << sent;
    EXPECT_EQ(sent.text_at("/outcome"), "scheduled");
    const std::string event = sent.text_at("/id");
    EXPECT_EQ(fate(event).text_at("/fate"), "scheduled");
    EXPECT_EQ(fate(event).text_at("/acceptedAt"), sent.text_at("/dueAt"));
    EXPECT_EQ(fetch("/api/v1/pending-events").at("/items/0/scheduled"), bj::value(true));
    const std::string path = "/api/v1/pending-events/" + event;
    EXPECT_EQ(server_.call(Method::del, path).status, 204);
    EXPECT_EQ(fate(event).text_at("/fate"), "cancelled");
    EXPECT_EQ(server_.call(Method::del, path).status, 204) << "a repeat";

    const Reply past = broadcast("paid", R"({"at": "2020-01-01T00:00:00Z"})");
    EXPECT_EQ(past.text_at("/outcome"), "delivered") << past;
    const Reply late = server_.call(Method::del, "/api/v1/pending-events/" + past.text_at("/id"));
    EXPECT_EQ(late.status, 409);
    EXPECT_EQ(late.slug(), "not-scheduled");
    EXPECT_EQ(server_.call(Method::del, "/api/v1/pending-events/" + std::string(some_event)).slug(),
              "no-such-event");
    for (const char* bad : {R"({"at": "2030-01-01T00:00:00Z", "after": "1h"})",
                            R"({"after": "-1h"})", R"({"at": "tomorrow"})", R"({"after": 5})"})
        EXPECT_EQ(send(id, "paid", bad).status, 400) << bad;
}

// I51: otherwise anybody could end a workflow's wait for a human task.
TEST_P(EventApi, EventsOfTheEngineCannotBeSent) {
    const std::string id = server_.start_id();
    ASSERT_EQ(wait_for(id, 0, std::string("task/") + some_event).text_at("/outcome"), "suspended");
    for (const std::string kind : {"task/", "process/work/", "process/escalation/"}) {
        const std::string body = R"({"name": ")" + kind + some_event + R"(", "value": {}})";
        for (const Reply& refused : {server_.call(Method::post, path(id, "/events"), body),
                                     server_.call(Method::post, "/api/v1/events", body)}) {
            EXPECT_EQ(refused.status, 400) << refused;
            EXPECT_EQ(refused.slug(), "invalid-argument");
        }
    }
    EXPECT_EQ(server_.get(id).text_at("/status"), "suspended");
}

TEST_P(EventApi, AnEventThatNobodyAwaitsIsQueued) {
    const std::string id = server_.start_id();
    for (const Reply& queued : {send(id, "paid", R"({"value": 1})"), broadcast("paid")}) {
        EXPECT_EQ(queued.status, 202) << queued;
        EXPECT_EQ(queued.text_at("/outcome"), "queued");
        EXPECT_EQ(queued.header("Location"), "/api/v1/event-fates/" + queued.text_at("/id"));
    }
    const Reply taken = wait_for(id, 0, "paid");
    EXPECT_EQ(taken.text_at("/outcome"), "delivered") << taken;
    EXPECT_EQ(taken.number_at("/value"), 1u);
    EXPECT_TRUE(wait_for(id, 1, "paid").at("/value").is_null()) << "an event without a value";
}

TEST_P(EventApi, ANameThatDoesNotFitIntoAPathIsSentInTheBody) {
    const std::string id = server_.start_id();
    const std::string name = "a/b ü;c";
    wait_for(id, 0, name);
    const Reply sent = post(path(id, "/events"), R"({"name": ")" + name + R"(", "value": 7})");
    EXPECT_EQ(sent.status, 200) << sent;
    EXPECT_EQ(post("/api/v1/events", R"({"name": ")" + name + "\"}").status, 202);
    EXPECT_EQ(wait_for(id, 1, name).text_at("/winner/name"), name);
}

TEST_P(EventApi, ABroadcastGoesToTheOldestWait) {
    const std::string older = server_.start_id();
    const std::string younger = server_.start_id();
    wait_for(older, 0, "go");
    wait_for(younger, 0, "go");
    EXPECT_EQ(broadcast("go").text_at("/workflow"), older);
    EXPECT_EQ(broadcast("go").text_at("/workflow"), younger);
    EXPECT_EQ(broadcast("go").status, 202);
}

TEST_P(EventApi, ABroadcastToAllReachesEveryWaitAndIsNeverQueued) {
    const std::string one = server_.start_id();
    const std::string two = server_.start_id();
    wait_for(one, 0, "stop");
    wait_for(two, 0, "stop");
    const Reply sent =
        broadcast("stop", R"({"fanOut": "all", "id": ")" + std::string(some_event) + "\"}");
    ASSERT_EQ(sent.status, 200) << sent;
    EXPECT_EQ(sent.text_at("/outcome"), "fannedOut");
    EXPECT_EQ(sent.at("/workflows").as_array().size(), 2u);
    EXPECT_EQ(fate(some_event).at("/deliveries").as_array().size(), 2u);
    const Reply nobody_left = broadcast("stop", R"({"fanOut": "all"})");
    EXPECT_TRUE(nobody_left.at("/workflows").as_array().empty());
    EXPECT_EQ(fate(nobody_left.text_at("/id")).text_at("/fate"), "discarded");
    EXPECT_EQ(fetch("/api/v1/pending-events").at("/items").as_array().size(), 0u);
}

TEST_P(EventApi, AnUnknownOrEndedTargetIsRefused) {
    const Reply unknown = send(nobody, "paid");
    EXPECT_EQ(unknown.status, 404) << unknown;
    EXPECT_EQ(unknown.slug(), "not-found");
    const std::string id = server_.start_id();
    complete(id, 0);
    const std::string before = fingerprint(server_);
    const Reply ended = send(id, "paid");
    EXPECT_EQ(ended.status, 409) << ended;
    EXPECT_EQ(ended.slug(), "ended");
    EXPECT_EQ(ended.text_at("/workflowStatus"), "succeeded");
    EXPECT_EQ(fingerprint(server_), before);
}

TEST_P(EventApi, AQuarantinedTargetTakesNothing) {
    const std::string id = server_.start_id(R"({"n": 1})");
    server_.corrupt_state(id);
    server_.get(id);  // finds the bad checksum and stores the flag
    const Reply clash = post(path(id, "/checkpoints"), R"({"name": "c"})");  // after the flag
    ASSERT_EQ(clash.slug(), "quarantined");
    const Reply refused = send(id, "paid");
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.slug(), "quarantined");
}

TEST_P(EventApi, ARepeatedIdIsOneEvent) {
    const std::string id = server_.start_id();
    const std::string body = R"({"value": 1, "id": ")" + std::string(some_event) + "\"}";
    EXPECT_EQ(send(id, "paid", body).status, 202);
    EXPECT_EQ(send(id, "paid", body).status, 202);
    EXPECT_EQ(fetch("/api/v1/pending-events").at("/items").as_array().size(), 1u);
    wait_for(id, 0, "paid");
    server_.restart();
    const Reply again = send(id, "paid", body);
    EXPECT_EQ(again.status, 200) << again;
    EXPECT_EQ(again.number_at("/index"), 0u);
}

TEST_P(EventApi, ARepeatedKeyIsOneEvent) {
    const std::string id = server_.start_id();
    const Fields key{{"Idempotency-Key", "order-77-paid"}};
    const Reply first = send(id, "paid", R"({"value": 1})", key);
    server_.restart();
    const Reply again = send(id, "paid", R"({"value": 1})", key);
    EXPECT_EQ(again.status, 202);
    EXPECT_EQ(again.text, first.text);
    EXPECT_EQ(fetch("/api/v1/pending-events").at("/items").as_array().size(), 1u);
    EXPECT_NE(send(id, "paid", R"({"value": 1})", {{"Idempotency-Key", "order-78-paid"}}).text,
              first.text);
}

TEST_P(EventApi, AKeyOrIdWithAnotherEventIsRefused) {
    const std::string id = server_.start_id();
    const Fields key{{"Idempotency-Key", "k"}};
    send(id, "paid", R"({"value": 1})", key);
    for (const Reply& reused :
         {send(id, "shipped", R"({"value": 1})", key), send(id, "paid", R"({"value": 2})", key),
          send(server_.start_id(), "paid", R"({"value": 1})", key)}) {
        EXPECT_EQ(reused.status, 422) << reused;
        EXPECT_EQ(reused.slug(), "idempotency-key-reused");
    }
    wait_for(id, 0, "paid");
    EXPECT_EQ(send(id, "shipped", R"({"value": 1})", key).status, 422) << "its name stays known";
    EXPECT_EQ(send(id, "paid", R"({"value": 1})", key).status, 200);
}

TEST_P(EventApi, TheFateOfAnEventCanBeReadFromBeginningToEnd) {
    const std::string id = server_.start_id();
    const std::string event =
        send(id, "paid", R"({"value": 1, "expireAfter": "24h"})").text_at("/id");
    const Reply queued = fate(event);
    ASSERT_EQ(queued.status, 200) << queued;
    EXPECT_EQ(queued.text_at("/id"), event);
    EXPECT_EQ(queued.text_at("/name"), "paid");
    EXPECT_EQ(queued.text_at("/fate"), "queued");
    EXPECT_EQ(queued.text_at("/target"), id);
    EXPECT_LT(queued.text_at("/acceptedAt"), queued.text_at("/expiresAt"));
    EXPECT_TRUE(queued.at("/deliveries").as_array().empty());
    wait_for(id, 0, "paid");
    const Reply delivered = fate(event);
    EXPECT_EQ(delivered.text_at("/fate"), "delivered");
    EXPECT_EQ(delivered.text_at("/deliveries/0/workflow"), id);
    EXPECT_EQ(delivered.number_at("/deliveries/0/index"), 0u);
}

TEST_P(EventApi, TheFateOfWhatATargetLeftBehindFollowsItsPolicy) {
    const std::string id = server_.start_id();
    std::map<std::string, std::string> fates;
    for (const std::string policy : {"discard", "broadcast", "deadLetter"})
        fates[policy] = send(id, "x", R"({"onTargetEnded": ")" + policy + "\"}").text_at("/id");
    complete(id, 0);
    EXPECT_EQ(fate(fates["discard"]).text_at("/fate"), "discarded");
    EXPECT_EQ(fate(fates["broadcast"]).text_at("/fate"), "queued");
    EXPECT_TRUE(fate(fates["broadcast"]).at("/target").is_null());
    const Reply dead = fate(fates["deadLetter"]);
    EXPECT_EQ(dead.text_at("/fate"), "dead");
    EXPECT_EQ(dead.text_at("/targetStatus"), "succeeded");
}

// An event that reached very many.
class ReachedMany final : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    void read(const AnyQuestion& question) override {
        const auto* fate = std::get_if<Question<FindEvent>>(&question);
        if (!fate) return inner_.read(question);
        KnownEvent known;
        for (std::uint64_t i = 0; i < 1'500; ++i)
            known.fates.push_back(
                {.event = fate->query.id, .name = "n", .instance = InstanceId{}, .index = i});
        fate->answer = std::move(known);
    }
};

TEST(EventFates, ShowsAThousandDeliveriesAndCountsAll) {
    ApiServer server("sqlite", {.in_between = [](Store& store) {
                         return std::make_unique<ReachedMany>(store);
                     }});
    const Reply fate = server.call(Method::get, std::string("/api/v1/event-fates/") + some_event);
    ASSERT_EQ(fate.status, 200) << fate;
    EXPECT_EQ(fate.at("/deliveries").as_array().size(), 1'000u);
    EXPECT_EQ(fate.number_at("/deliveryCount"), 1'500u);
}

TEST_P(EventApi, AnEventThatExpiredIsNeverDelivered) {
    const std::string id = server_.start_id();
    const std::string event = send(id, "paid", R"({"expireAfter": "PT0.001S"})").text_at("/id");
    EXPECT_TRUE(eventually([&] { return fate(event).text_at("/fate") == "expired"; }));
    EXPECT_TRUE(fetch("/api/v1/pending-events").at("/items/0/expired").as_bool());
    EXPECT_EQ(wait_for(id, 0, "paid").text_at("/outcome"), "suspended");
}

TEST_P(EventApi, AKeptEventStaysForOthersAndReachesEachOnce) {
    const std::string one = server_.start_id();
    const std::string two = server_.start_id();
    const std::string event = broadcast("news", R"({"keep": true, "value": 1})").text_at("/id");
    EXPECT_EQ(wait_for(one, 0, "news").text_at("/outcome"), "delivered");
    EXPECT_EQ(fate(event).text_at("/fate"), "queued");
    EXPECT_EQ(wait_for(two, 0, "news").text_at("/outcome"), "delivered");
    EXPECT_EQ(wait_for(one, 1, "news").text_at("/outcome"), "suspended");
    EXPECT_EQ(fate(event).at("/deliveries").as_array().size(), 2u);
}

TEST_P(EventApi, AnUnknownEventHasNoFate) {
    const Reply unknown = fate(some_event);
    EXPECT_EQ(unknown.status, 404) << unknown;
    EXPECT_EQ(unknown.slug(), "no-such-event");
}

TEST_P(EventApi, PendingEventsAreListedByNameAndTarget) {
    const std::string id = server_.start_id();
    send(id, "paid", R"({"value": {"n": 1}, "expireAfter": "1h"})");
    send(id, "shipped");
    broadcast("paid");
    const auto count = [&](const std::string& query) {
        return fetch("/api/v1/pending-events" + query).at("/items").as_array().size();
    };
    EXPECT_EQ(count(""), 3u);
    EXPECT_EQ(count("?name=paid"), 2u);
    EXPECT_EQ(count("?target=" + id), 2u);
    EXPECT_EQ(count("?name=shipped&target=" + id), 1u);
    EXPECT_EQ(count("?name=nothing"), 0u);
    const Reply one = fetch("/api/v1/pending-events?name=paid&target=" + id);
    EXPECT_EQ(one.at("/items/0/value"), json_of(R"({"n": 1})"));
    EXPECT_EQ(one.text_at("/items/0/onTargetEnded"), "discard");
    EXPECT_FALSE(one.at("/items/0/keep").as_bool());
    EXPECT_FALSE(one.at("/items/0/expired").as_bool());
    EXPECT_TRUE(one.at("/nextCursor").is_null());
}

TEST_P(EventApi, PagesOfPendingEventsFollowEachOther) {
    std::set<std::string> sent;
    for (int i = 0; i < 7; ++i) sent.insert(broadcast("tick").text_at("/id"));
    std::set<std::string> seen;
    std::string cursor;
    for (int pages = 0; pages < 4; ++pages) {
        const Reply page = fetch("/api/v1/pending-events?name=tick&limit=2" + cursor);
        ASSERT_EQ(page.status, 200) << page;
        for (const bj::value& item : page.at("/items").as_array())
            EXPECT_TRUE(seen.insert(std::string(item.at("id").as_string())).second);
        if (page.at("/nextCursor").is_null()) break;
        cursor = "&cursor=" + page.text_at("/nextCursor");
    }
    EXPECT_EQ(seen, sent);
    EXPECT_EQ(fetch("/api/v1/pending-events?limit=2" + cursor).status, 400) << "other filters";
}

TEST(EventQueue, OneMoreThanTheSettingIsRefused) {
    ApiServer server("sqlite", {.queue_limit = 2});
    const std::string id = server.start_id();
    for (const std::string& target :
         {ApiServer::path_of(id) + "/events/paid", std::string("/api/v1/events/paid")}) {
        EXPECT_EQ(server.call(Method::post, target).status, 202);
        EXPECT_EQ(server.call(Method::post, target).status, 202);
        const std::string before = fingerprint(server);
        const Reply full = server.call(Method::post, target);
        EXPECT_EQ(full.status, 429) << full;
        EXPECT_EQ(full.slug(), "too-many-events");
        EXPECT_EQ(full.number_at("/limit"), 2u);
        EXPECT_FALSE(full.header("Retry-After").empty());
        EXPECT_EQ(fingerprint(server), before);
    }
    EXPECT_EQ(
        server.call(Method::post, ApiServer::path_of(server.start_id()) + "/events/paid").status,
        202)
        << "another target has its own queue";
}

TEST(EventQueue, AFullCoordinatorRefusesSendersWithRetryAfter) {
    HeldCommit held;
    ApiServer server("sqlite", {.store = held.options(), .limits = {.queue = 1}});
    const std::string target = ApiServer::path_of(server.start_id()) + "/events/paid";
    std::promise<int> committing;
    std::promise<int> queued;
    const auto send_later = [&](std::promise<int>& answer) {
        return named_thread("caller", [&](std::stop_token) {
            answer.set_value(server.client().call(Method::post, target).status);
        });
    };
    held.arm();
    const std::jthread first = send_later(committing);
    held.wait_until_held();
    const std::jthread second = send_later(queued);
    EXPECT_TRUE(eventually([&] { return server.metric("holdfast_queue_depth") >= 1; }));
    const Reply refused = server.call(Method::post, target);
    held.let_go();
    EXPECT_EQ(refused.status, 429) << refused;
    EXPECT_EQ(refused.slug(), "overloaded");
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_EQ(committing.get_future().get(), 202);
    EXPECT_EQ(queued.get_future().get(), 202);
    EXPECT_EQ(server.call(Method::get, "/api/v1/pending-events").at("/items").as_array().size(),
              2u);
}

}  // namespace
}  // namespace holdfast::testing
