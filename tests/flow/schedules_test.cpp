// Schedules that start flows, with a clock that only the test advances.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "holdfast/testing.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// Runs for ten minutes, or until it is cancelled.
Flow<std::string> work(Context& ctx, std::string due) {
    co_await ctx.sleep(10min);
    co_return due;
}

class Schedules : public ::testing::Test {
protected:
    Schedules() { world.add("work", work); }

    // Every minute, from 2030-01-01T00:01.
    void put(const std::string& overlap, const std::string& every = "1m") {
        world.schedules().put("often", {.every = every,
                                        .start = "work",
                                        .arguments = Json(boost::json::array{"${due}"}),
                                        .overlap = overlap});
    }
    ScheduleStatus status() { return world.schedules().status("often"); }

    World world;
};

TEST_F(Schedules, ACronTextStartsAFlowAtItsTimeInItsZone) {
    world.schedules().put("nightly", {.cron = "30 2 * * *",
                                      .time_zone = "Europe/Berlin",
                                      .start = "work",
                                      .arguments = Json(boost::json::array{"${due}"})});
    world.advance(24h);
    const ScheduleStatus status = world.schedules().status("nightly");
    EXPECT_EQ(status.fired, 1u);
    ASSERT_EQ(status.started.size(), 1u);
    EXPECT_EQ(world.result<std::string>(status.started.front()), "2030-01-01T01:30:00.000000Z");
    EXPECT_EQ(status.next, world.now() + 1h + 30min);
    EXPECT_TRUE(status.running.empty());
}

TEST_F(Schedules, SkipLeavesOutWhatIsDueWhileTheOneBeforeRuns) {
    put("skip");
    world.advance(25min);
    // At 1, 11 and 21; the workflow of minute 1 ends at 11.
    EXPECT_EQ(status().fired + status().skipped, 25u);
    EXPECT_LE(status().fired, 3u);
    EXPECT_GE(status().fired, 2u);
}

TEST_F(Schedules, QueueStartsOneAfterAnother) {
    put("queue");
    world.advance(25min);
    EXPECT_EQ(status().skipped, 0u);
    EXPECT_EQ(status().fired, 3u) << "at 1, 11 and 21";
    world.schedules().pause("often", "enough");
    world.advance(10min);
    EXPECT_EQ(world.result<std::string>(status().started.front()), "2030-01-01T00:03:00.000000Z");
}

TEST_F(Schedules, CancelEndsTheOneBefore) {
    put("cancel");
    world.advance(3min);
    const ScheduleStatus now = status();
    EXPECT_EQ(now.fired, 3u);
    ASSERT_EQ(now.started.size(), 3u);
    EXPECT_EQ(now.running, now.started[0]);
    EXPECT_EQ(world.status(now.started[1]), "cancelled");
    EXPECT_EQ(world.status(now.started[2]), "cancelled");
}

TEST_F(Schedules, AllowStartsEveryTime) {
    put("allow");
    world.advance(9min);
    EXPECT_EQ(status().fired, 9u);
    for (const std::string& id : status().started) EXPECT_NE(world.status(id), "cancelled");
}

TEST_F(Schedules, NothingFiresDuringAPauseNorIsMadeUpForAfterIt) {
    put("allow");
    world.schedules().pause("often", "the host is down");
    world.advance(30min);
    EXPECT_TRUE(status().paused);
    EXPECT_EQ(status().fired, 0u);
    EXPECT_FALSE(status().next);
    world.schedules().trigger("often");
    EXPECT_EQ(status().fired, 1u) << "also while it is paused";
    world.schedules().resume("often");
    world.advance(5min);
    EXPECT_EQ(status().fired, 6u);
    EXPECT_EQ(status().missed, 0u);
}

TEST_F(Schedules, ABackfillFiresForThePastOneAfterAnother) {
    put("skip", "24h");
    world.advance(24h * 5 + 1h);
    const std::uint64_t before = status().fired;
    EXPECT_EQ(before, 5u);
    world.schedules().backfill("often", "2030-01-02T00:00:00Z", "2030-01-04T00:00:00Z");
    world.advance(15min);
    EXPECT_EQ(status().fired, before + 2) << "the third waits for the end of the second";
    world.advance(15min);
    EXPECT_EQ(status().fired, before + 3);
    EXPECT_EQ(world.result<std::string>(status().started.front()), "2030-01-04T00:00:00.000000Z");
}

TEST_F(Schedules, AnEventIsSentToWhoeverWaits) {
    world.add("listen", [](Context& ctx) -> Flow<std::string> {
        co_return co_await ctx.event<std::string>("tick");
    });
    const std::string id = world.start("listen");
    world.schedules().put(
        "ticks", {.every = "1h", .send = "tick", .value = Json("${due}"), .fan_out = "all"});
    world.advance(3h);
    EXPECT_EQ(world.result<std::string>(id), "2030-01-01T01:00:00.000000Z");
    EXPECT_EQ(world.schedules().status("ticks").fired, 3u);
}

TEST_F(Schedules, WhatItStartsGoesOnWhenItIsRemovedAndTheNameIsFreeAgain) {
    put("skip");
    world.advance(1min);
    const std::string running = status().running;
    EXPECT_EQ(world.status(running), "suspended");
    EXPECT_TRUE(world.schedules().remove("often"));
    EXPECT_FALSE(world.schedules().remove("often"));
    EXPECT_THROW(status(), Misuse);
    world.advance(10min);
    EXPECT_EQ(world.status(running), "succeeded");
    put("skip");
    EXPECT_EQ(status().fired, 0u);
    world.advance(1min);
    EXPECT_EQ(status().fired, 1u);
}

TEST_F(Schedules, AChangeCountsFromNow) {
    put("allow");
    world.advance(90s);
    EXPECT_EQ(status().fired, 1u);
    put("allow", "1h");
    EXPECT_EQ(status().fired, 1u);
    world.advance(2h);
    EXPECT_EQ(status().fired, 3u);
}

TEST_F(Schedules, WhatCannotBeStartedIsAnIncidentUntilItCan) {
    world.schedules().put("wrong", {.every = "1m", .start = "nothing"});
    world.advance(1min);
    EXPECT_TRUE(world.schedules().status("wrong").incident);
    world.schedules().put(
        "wrong", {.every = "1m", .start = "work", .arguments = Json(boost::json::array{"x"})});
    world.advance(1min);
    EXPECT_FALSE(world.schedules().status("wrong").incident);
}

TEST_F(Schedules, AFlowWithoutArgumentsNeedsNone) {
    world.add("plain", [](Context& ctx) -> Flow<int> {
        co_return co_await ctx.step("count", [] { return 3; });
    });
    world.schedules().put("plain", {.every = "1h", .start = "plain"});
    world.advance(1h);
    EXPECT_EQ(world.result<int>(world.schedules().status("plain").started.front()), 3);
}

TEST_F(Schedules, WhatIsWrongIsSaid) {
    const auto refusal = [&](const Schedule& schedule) -> std::string {
        try {
            world.schedules().put("bad", schedule);
        } catch (const Misuse& misuse) {
            return misuse.what();
        }
        return "";
    };
    EXPECT_NE(refusal({.cron = "* * * *", .start = "work"}).find("five fields"), std::string::npos);
    EXPECT_NE(refusal({.cron = "0 2 * * *", .time_zone = "Mars/Base", .start = "work"})
                  .find("not a zone"),
              std::string::npos);
    EXPECT_NE(refusal({.every = "1m"}).find("start or send"), std::string::npos);
    EXPECT_NE(refusal({.every = "1m", .send = "task/x"}).find("only the engine"),
              std::string::npos);
    EXPECT_THROW(world.schedules().trigger("nobody"), Misuse);
}

}  // namespace
}  // namespace holdfast::testing
