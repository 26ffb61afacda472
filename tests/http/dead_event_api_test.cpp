// Dead events over HTTP: listed, replayed, removed (001.9).
#include <gtest/gtest.h>

#include "support/runner_api.h"

namespace holdfast::testing {
namespace {

class DeadEventApi : public RunnerApi {
protected:
    static std::string route(const std::string& event) { return "/api/v1/dead-events/" + event; }
    Reply replay(const std::string& event, const std::string& body = {},
                 const Fields& headers = {}) {
        return post(route(event) + "/replay", body, headers);
    }
    Reply replay_to(const std::string& event, const std::string& workflow) {
        return replay(event, R"({"workflow": ")" + workflow + "\"}");
    }
    Reply remove(const std::string& event) { return server_.call(Method::del, route(event)); }
};

INSTANTIATE_TEST_SUITE_P(Stores, DeadEventApi, durable_stores(), store_name);

TEST_P(DeadEventApi, ADeadEventIsListedWithWhatItWasAndWhatEndedIt) {
    const std::string event = dead_event();
    const Reply shown = fetch(route(event));
    ASSERT_EQ(shown.status, 200) << shown;
    EXPECT_EQ(shown.text_at("/id"), event);
    EXPECT_EQ(shown.text_at("/name"), "paid");
    EXPECT_EQ(shown.number_at("/value"), 5u);
    EXPECT_EQ(shown.text_at("/targetStatus"), "succeeded");
    EXPECT_LE(shown.text_at("/acceptedAt"), shown.text_at("/endedAt"));
    const std::string target = shown.text_at("/target");
    for (const std::string& query :
         {std::string(), std::string("?name=paid"), "?target=" + target, std::string("?limit=1")})
        EXPECT_EQ(fetch("/api/v1/dead-events" + query).at("/items/0"), shown.body) << query;
    EXPECT_TRUE(fetch("/api/v1/dead-events?name=other").at("/items").as_array().empty());
}

TEST_P(DeadEventApi, PagesOfDeadEventsFollowEachOther) {
    std::set<std::string> dead{dead_event(), dead_event(), dead_event()};
    const Reply first = fetch("/api/v1/dead-events?limit=2");
    ASSERT_EQ(first.at("/items").as_array().size(), 2u) << first;
    const Reply second =
        fetch("/api/v1/dead-events?limit=2&cursor=" + first.text_at("/nextCursor"));
    ASSERT_EQ(second.at("/items").as_array().size(), 1u) << second;
    EXPECT_TRUE(second.at("/nextCursor").is_null());
    for (const std::string& id : {first.text_at("/items/0/id"), first.text_at("/items/1/id"),
                                  second.text_at("/items/0/id")})
        EXPECT_EQ(dead.erase(id), 1u);
}

TEST_P(DeadEventApi, AReplayIsABroadcastUnlessItNamesAWorkflow) {
    const std::string waiter = server_.start_id();
    wait_for(waiter, 0, "paid");
    const std::string event = dead_event();
    const Reply delivered = replay(event, "{}");
    EXPECT_EQ(delivered.status, 200) << delivered;
    EXPECT_EQ(delivered.text_at("/id"), event);
    EXPECT_EQ(delivered.text_at("/workflow"), waiter);
    EXPECT_EQ(fate(event).text_at("/fate"), "delivered");

    const std::string chosen = server_.start_id();
    const std::string second = dead_event();
    const Reply queued = replay_to(second, chosen);
    EXPECT_EQ(queued.status, 202) << queued;
    EXPECT_EQ(queued.header("Location"), "/api/v1/event-fates/" + second);
    EXPECT_EQ(fate(second).text_at("/target"), chosen);
    EXPECT_EQ(fetch(route(second)).status, 404);
}

TEST_P(DeadEventApi, AReplayWithoutATargetToTakeItLeavesTheEventDead) {
    const std::string event = dead_event();
    const std::string ended = fetch(route(event)).text_at("/target");
    const Reply terminated = replay_to(event, ended);
    EXPECT_EQ(terminated.status, 409) << terminated;
    EXPECT_EQ(terminated.slug(), "ended");
    const Reply unknown = replay_to(event, nobody);
    EXPECT_EQ(unknown.status, 404) << unknown;
    EXPECT_EQ(unknown.slug(), "not-found");
    EXPECT_EQ(fetch(route(event)).status, 200);
}

TEST_P(DeadEventApi, ARepeatedReplayFindsNoDeadEvent) {
    const std::string event = dead_event();
    const Fields key{{"Idempotency-Key", "replay-1"}};
    const Reply first = replay(event, "{}", key);
    EXPECT_EQ(first.status, 202) << first;
    EXPECT_EQ(replay(event, "{}").status, 404);
    server_.restart();
    const Reply again = replay(event, "{}", key);
    EXPECT_EQ(again.status, 202) << "the key gets the first answer";
    EXPECT_EQ(again.text, first.text);
    EXPECT_EQ(replay(event, "", key).status, 422) << "another body";
}

TEST_P(DeadEventApi, ADeliveredReplayIsKeptUnderItsKeyToo) {
    const std::string waiter = server_.start_id();
    wait_for(waiter, 0, "paid");
    const std::string event = dead_event();
    const Fields key{{"Idempotency-Key", "replay-2"}};
    const Reply first = replay(event, {}, key);
    EXPECT_EQ(first.status, 200) << first;
    const Reply again = replay(event, {}, key);
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.text, first.text);
}

TEST_P(DeadEventApi, ARemovedEventIsDiscarded) {
    const std::string event = dead_event();
    const Reply removed = remove(event);
    EXPECT_EQ(removed.status, 204) << removed;
    EXPECT_EQ(fate(event).text_at("/fate"), "discarded");
    const Reply again = remove(event);
    EXPECT_EQ(again.status, 404);
    EXPECT_EQ(again.slug(), "no-such-event");
    EXPECT_TRUE(fetch("/api/v1/dead-events").at("/items").as_array().empty());
}

TEST_P(DeadEventApi, WhatIsNotDeadIsNotFoundThere) {
    const std::string queued = broadcast("x").text_at("/id");
    for (const std::string& event : {queued, std::string(nobody)}) {
        EXPECT_EQ(fetch(route(event)).status, 404);
        EXPECT_EQ(replay(event).status, 404);
        EXPECT_EQ(remove(event).status, 404);
    }
    EXPECT_EQ(fate(queued).text_at("/fate"), "queued");
}

}  // namespace
}  // namespace holdfast::testing
