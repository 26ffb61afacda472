// Schedules over HTTP.
#include <gtest/gtest.h>

#include "support/api_server.h"

namespace holdfast::testing {
namespace {

const std::string nightly = "/api/v1/schedules/nightly";

class ScheduleApi : public DurableApi {
protected:
    ScheduleApi() { server_.world.define("order"); }

    Reply put(const std::string& body, const Fields& headers = {}) {
        return server_.call(Method::put, nightly, body, headers);
    }
    // Hourly since the beginning of 2026.
    Reply put_hourly(const std::string& overlap) {
        return put(R"({"every": "1h", "from": "2026-01-01T00:00:00Z", "overlap": ")" + overlap +
                   R"(", "start": {"definition": "order", "businessKey": "at ${due}"}})");
    }
    Reply post(const std::string& verb, const std::string& body = "{}",
               const Fields& headers = {}) {
        return server_.call(Method::post, nightly + "/" + verb, body, headers);
    }
    Reply show() { return server_.call(Method::get, nightly); }
    std::uint64_t orders() {
        return server_.call(Method::get, workflows + "?definition=order")
            .at("/items")
            .as_array()
            .size();
    }
    void end(const std::string& id) {
        server_.world.run(
            op::Cancel{.cause = server_.world.cause(), .instance = *parse_id<InstanceId>(id)});
    }
    // The next part of what is due now.
    void go_on() {
        const InstanceId id = schedule_of("default", "nightly");
        for (const Waiting& waiting : server_.world.read(id).waits)
            server_.world.run(
                op::FireTimer{.cause = Cause::of_engine(server_.world.cause().operation),
                              .instance = id,
                              .token = waiting.token});
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, ScheduleApi, durable_stores(), store_name);

TEST_P(ScheduleApi, IsCreatedShownChangedAndRemoved) {
    const Reply created = put(
        R"({"cron": "0 2 * * *", "timeZone": "Europe/Berlin", "start": {"definition": "order"}})",
        {{"X-User-Id", "ada"}});
    ASSERT_EQ(created.status, 201) << created;
    EXPECT_EQ(created.text_at("/by"), "ada");
    EXPECT_EQ(created.text_at("/status"), "active");
    EXPECT_EQ(created.at("/upcoming").as_array().size(), 5u);
    EXPECT_EQ(created.at("/next"), created.at("/upcoming/0/due"));
    EXPECT_EQ(show().at("/spec"), created.at("/spec"));
    EXPECT_EQ(put(boost::json::serialize(created.at("/spec"))).status, 200) << "the same";
    EXPECT_EQ(show().number_at("/version"), created.number_at("/version"));
    const Reply taken = server_.call(Method::put, nightly + "?onlyNew=true", R"({"every": "1h"})");
    EXPECT_EQ(taken.slug(), "schedule-exists") << taken;
    EXPECT_EQ(put(R"({"every": "2h", "send": {"event": "tick"}})", {{"If-Match", "\"99\""}}).slug(),
              "stale-version");
    const Reply changed = put(R"({"every": "2h", "send": {"event": "tick"}})");
    EXPECT_EQ(changed.status, 200) << changed;
    EXPECT_EQ(changed.at("/spec/every"), "2h");
    const Reply listed = server_.call(Method::get, "/api/v1/schedules?upcoming=1");
    EXPECT_EQ(listed.at("/items").as_array().size(), 1u) << listed;
    EXPECT_EQ(listed.at("/items/0/upcoming").as_array().size(), 1u);
    EXPECT_EQ(server_.call(Method::del, nightly).status, 204);
    EXPECT_EQ(show().slug(), "no-such-schedule");
    EXPECT_EQ(server_.call(Method::del, nightly).slug(), "no-such-schedule");
    EXPECT_EQ(post("trigger").slug(), "no-such-schedule");
    EXPECT_EQ(put_hourly("skip").status, 201) << "the name is free again";
}

TEST_P(ScheduleApi, SaysWhichMemberIsWrong) {
    EXPECT_EQ(put(R"({"every": "1h", "send": {"event": "tick"}})", {{"If-Match", "*"}}).slug(),
              "no-such-schedule")
        << "it must exist";
    const Reply wrong = put(R"({"cron": "61 2 * * *", "start": {"definition": "order"}})");
    EXPECT_EQ(wrong.slug(), "invalid-schedule") << wrong;
    EXPECT_EQ(wrong.text_at("/violations/0/path"), "/cron");
    EXPECT_EQ(put(R"({"crom": "0 2 * * *"})").slug(), "invalid-argument");
    const Reply never = put(R"({"cron": "* * 31 2 *", "start": {"definition": "order"}})");
    EXPECT_EQ(never.text_at("/violations/0/path"), "/cron") << never;
    EXPECT_EQ(put(R"({"cron": "0 0 29 2 *", "from": "2026-01-01T00:00:00Z",
                      "until": "2027-12-31T00:00:00Z", "start": {"definition": "order"}})")
                  .slug(),
              "invalid-schedule");
    EXPECT_EQ(put("[]").status, 400);
    EXPECT_EQ(show().status, 404);
    EXPECT_EQ(put_hourly("skip").status, 201);
    EXPECT_EQ(put(R"({"every": "1h"})").text_at("/violations/0/path"), "/start");
    EXPECT_EQ(post("trigger", R"({"overlap": "never"})").slug(), "schedule-refused");
    EXPECT_EQ(post("backfill", R"({"from": "x", "to": "y"})").slug(), "schedule-refused");
    EXPECT_EQ(post("backfill", R"({"from": "2026-01-01T00:10:00Z", "to": "2026-01-01T00:20:00Z"})")
                  .slug(),
              "schedule-refused")
        << "nothing was due";
    EXPECT_EQ(post("backfill", R"({"from": "2026-01-01T00:00:00Z", "to": "2999-01-01T00:00:00Z"})")
                  .slug(),
              "schedule-refused");
}

TEST_P(ScheduleApi, ATriggerFollowsTheOverlap) {
    ASSERT_EQ(put_hourly("skip").status, 201);
    const Reply first = post("trigger", "{}", {{"Idempotency-Key", "k"}});
    ASSERT_EQ(first.status, 200) << first;
    EXPECT_EQ(post("trigger", "{}", {{"Idempotency-Key", "k"}}).number_at("/fired"), 1u);
    const std::string running = first.text_at("/running/workflow");
    EXPECT_EQ(first.text_at("/recent/0/why"), "triggered");
    const Reply order = server_.get(running);
    EXPECT_EQ(order.text_at("/businessReference/parts/schedule"), "nightly");
    EXPECT_EQ(order.text_at("/businessReference/key"), "at " + first.text_at("/recent/0/due"));
    EXPECT_EQ(post("trigger").slug(), "schedule-refused") << "it still runs";
    EXPECT_EQ(post("trigger", R"({"overlap": "queue"})").number_at("/queued"), 1u);
    EXPECT_EQ(post("trigger", R"({"overlap": "allow"})").number_at("/fired"), 2u);
    EXPECT_EQ(orders(), 2u);
    end(running);
    EXPECT_EQ(show().number_at("/queued"), 0u);
    const std::string second = show().text_at("/running/workflow");
    EXPECT_NE(second, running);
    EXPECT_EQ(post("trigger", R"({"overlap": "cancel"})").status, 200);
    EXPECT_EQ(server_.get(second).text_at("/status"), "cancelled");
    EXPECT_EQ(orders(), 4u);
}

TEST_P(ScheduleApi, ABackfillGoesOnWhenTheOneBeforeHasEnded) {
    ASSERT_EQ(put_hourly("skip").status, 201);
    const std::string three_times =
        R"({"from": "2026-01-01T01:00:00Z", "to": "2026-01-01T03:00:00Z")";
    ASSERT_EQ(post("backfill", three_times + "}").status, 200);
    for (std::uint64_t i = 1; i <= 3; ++i) {
        go_on();
        EXPECT_EQ(orders(), i);
        end(show().text_at("/running/workflow"));
    }
    go_on();
    EXPECT_EQ(orders(), 3u);
    EXPECT_TRUE(show().at("/backfills").as_array().empty());
    ASSERT_EQ(post("backfill", three_times + R"(, "overlap": "allow"})").status, 200);
    EXPECT_EQ(orders(), 6u);
    EXPECT_EQ(show().number_at("/fired"), 6u);
    ASSERT_EQ(post("backfill", three_times + "}").status, 200);
    EXPECT_TRUE(post("clear-queue").at("/backfills").as_array().empty());
}

TEST_P(ScheduleApi, ALongBackfillTakesSeveralRounds) {
    ASSERT_EQ(put_hourly("skip").status, 201);
    ASSERT_EQ(post("backfill",
                   R"({"from": "2026-01-01T00:00:00Z", "to": "2026-01-05T04:00:00Z",
                       "overlap": "allow"})")
                  .status,
              200);
    EXPECT_EQ(show().number_at("/fired"), 64u);
    go_on();
    EXPECT_EQ(show().number_at("/fired"), 101u);
    EXPECT_TRUE(show().at("/backfills").as_array().empty());
}

TEST_P(ScheduleApi, IsPausedAndGoesOn) {
    ASSERT_EQ(put_hourly("skip").status, 201);
    EXPECT_TRUE(post("pause", R"({"reason": "a storm"})").at("/paused").as_bool());
    EXPECT_EQ(show().text_at("/status"), "paused");
    EXPECT_TRUE(show().at("/next").is_null());
    EXPECT_EQ(post("trigger").number_at("/fired"), 1u);
    EXPECT_FALSE(post("resume", R"({"reason": "over"})").at("/paused").as_bool());
    EXPECT_EQ(show().text_at("/status"), "active");
    EXPECT_EQ(post("resume").status, 200) << "again";
    EXPECT_TRUE(post("pause").at("/paused").as_bool());
    EXPECT_FALSE(post("resume", R"({"catchUp": true})").at("/paused").as_bool());
    EXPECT_EQ(server_.world.read(schedule_of("default", "nightly")).waits.size(), 1u);
}

TEST_P(ScheduleApi, OnlyItsOwnRoutesChangeIt) {
    const Reply created = put_hourly("skip");
    const std::string id = created.text_at("/id");
    const Reply patched = server_.call(
        Method::patch, ApiServer::path_of(id) + "/state", R"({"spec": {"every": "1s"}})",
        {{"Content-Type", "application/merge-patch+json"}, {"If-Match", "*"}});
    EXPECT_EQ(patched.slug(), "invalid-state") << patched;
    EXPECT_EQ(
        server_.call(Method::post, workflows, R"({"definition": "holdfast.schedule"})").slug(),
        "invalid-argument");
    EXPECT_EQ(server_
                  .call(Method::post, ApiServer::path_of(id) + "/modify",
                        R"({"steps": [{"do": "enter", "element": "x"}]})", {{"If-Match", "*"}})
                  .slug(),
              "not-modified");
    EXPECT_EQ(server_.call(Method::post, ApiServer::path_of(id) + "/cancel").status, 200);
    EXPECT_EQ(show().text_at("/status"), "ended");
    EXPECT_EQ(post("trigger").slug(), "ended");
    EXPECT_EQ(put_hourly("skip").slug(), "ended");
    EXPECT_EQ(server_.call(Method::del, nightly).status, 204);
    EXPECT_EQ(put_hourly("skip").status, 201);
}

TEST_P(ScheduleApi, ADisabledDefinitionIsNotStarted) {
    ASSERT_EQ(put_hourly("allow").status, 201);
    ASSERT_EQ(server_.call(Method::post, "/api/v1/definitions/order/disable").status, 200);
    EXPECT_TRUE(post("trigger").at("/incident").as_bool());
    EXPECT_EQ(orders(), 0u);
    ASSERT_EQ(server_.call(Method::post, "/api/v1/definitions/order/enable").status, 200);
    EXPECT_FALSE(post("trigger").at("/incident").as_bool());
    EXPECT_EQ(orders(), 1u);
}

}  // namespace
}  // namespace holdfast::testing
