// What schedules say and when they are due; their program through a year, without a store.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "support/schedule_year.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;

Moment moment(const char* text) { return parse_iso8601(text).value(); }

// Of a schedule that sends an event, with these members.
std::expected<schedule::Spec, SchemaViolation> read(bj::object members) {
    if (!members.contains("start") && !members.contains("send"))
        members["send"] = bj::object{{"event", "tick"}};
    return schedule::read_spec(members);
}

std::string wrong_member(bj::object members) {
    const auto spec = read(std::move(members));
    return spec ? "" : spec.error().path;
}

TEST(ScheduleSpec, NamesTheMemberThatIsWrong) {
    EXPECT_EQ(wrong_member({{"every", "15m"}}), "");
    EXPECT_EQ(wrong_member({{"cron", "0 2 * * *"}, {"timeZone", "Asia/Kolkata"}}), "");
    EXPECT_EQ(wrong_member({}), "/cron");
    EXPECT_EQ(wrong_member({{"cron", "0 2 * * *"}, {"every", "1m"}}), "/cron");
    EXPECT_EQ(wrong_member({{"cron", "0 25 * * *"}}), "/cron");
    EXPECT_EQ(wrong_member({{"cron", "0 0 2 * * *"}}), "/cron") << "six fields are Quartz's";
    EXPECT_EQ(wrong_member({{"cron", "CRON_TZ=UTC 0 2 * * *"}}), "/cron");
    EXPECT_EQ(wrong_member({{"cron", "0 2 * * *"}, {"timeZone", "../etc/passwd"}}), "/timeZone");
    EXPECT_EQ(wrong_member({{"cron", "0 2 * * *"}, {"timeZone", "No/Where"}}), "/timeZone");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"timeZone", "UTC"}}), "/timeZone");
    for (const char* every : {"0s", "999ms", "-1m", "x", "11000d"})
        EXPECT_EQ(wrong_member({{"every", every}}), "/every") << every;
    EXPECT_EQ(wrong_member({{"every", 5}}), "/every");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"overlap", "never"}}), "/overlap");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"catchUp", "9s"}}), "/catchUp");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"jitter", "25h"}}), "/jitter");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"from", "tomorrow"}}), "/from");
    EXPECT_EQ(
        wrong_member(
            {{"every", "1m"}, {"from", "2026-02-01T00:00:00Z"}, {"until", "2026-01-01T00:00:00Z"}}),
        "/until");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"retries", 3}}), "/retries");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"start", bj::object{}}}), "/start/definition");
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"start", "report"}}), "/start");
    const auto keyed = [](const std::string& key) {
        return bj::object{{"every", "1m"},
                          {"start", bj::object{{"definition", "report"}, {"businessKey", key}}}};
    };
    EXPECT_EQ(wrong_member(keyed(std::string(229, 'x') + "${due}")), "");
    EXPECT_EQ(wrong_member(keyed(std::string(230, 'x') + "${due}")), "/start/businessKey")
        << "no row could have it";
    EXPECT_EQ(wrong_member({{"every", "1m"}, {"send", bj::object{{"event", "process/x"}}}}),
              "/send/event");
    EXPECT_EQ(
        wrong_member({{"every", "1m"}, {"send", bj::object{{"event", "e"}, {"workflow", "x"}}}}),
        "/send/workflow");
    EXPECT_EQ(
        wrong_member({{"every", "1m"},
                      {"send", bj::object{{"event", "e"}, {"value", std::string(70'000, 'x')}}}}),
        "/send/value");
    EXPECT_FALSE(schedule::read_spec(bj::value(nullptr)));
    EXPECT_FALSE(schedule::read_spec(bj::array{}));
}

TEST(ScheduleSpec, AnIntervalCountsFromTheStart) {
    const auto spec = read({{"every", "1h"}}).value();
    const Moment anchor = moment("2026-01-01T00:10:00Z");
    EXPECT_EQ(due_after(spec, anchor, anchor), anchor + 1h);
    EXPECT_EQ(due_after(spec, anchor, anchor + 1h), anchor + 2h);
    EXPECT_EQ(due_after(spec, anchor, anchor + 90min), anchor + 2h);
    const auto bounded =
        read({{"every", "1h"}, {"from", "2026-01-02T00:00:00Z"}, {"until", "2026-01-02T01:00:00Z"}})
            .value();
    EXPECT_EQ(due_after(bounded, anchor, anchor), moment("2026-01-02T00:00:00Z"));
    EXPECT_EQ(due_after(bounded, anchor, moment("2026-01-02T00:00:00Z")),
              moment("2026-01-02T01:00:00Z"));
    EXPECT_EQ(due_after(bounded, anchor, moment("2026-01-02T01:00:00Z")), std::nullopt);
}

TEST(ScheduleSpec, AnIntervalMayBeginLongAgo) {
    const auto spec = read({{"every", "1s"}, {"from", "0001-01-01T00:00:00Z"}}).value();
    const Moment now = moment("2026-01-01T00:00:00.5Z");
    EXPECT_EQ(due_after(spec, now, now), moment("2026-01-01T00:00:01Z"));
}

TEST(ScheduleSpec, JitterIsTheSameEverywhereAndBounded) {
    const auto spec = read({{"every", "1h"}, {"jitter", "10m"}}).value();
    const InstanceId id = schedule_of("default", "a");
    const Moment due = moment("2026-01-01T00:00:00Z");
    EXPECT_EQ(jitter_of(spec, id, due), jitter_of(spec, id, due));
    std::set<std::chrono::microseconds> all;
    for (int i = 0; i < 100; ++i) {
        all.insert(jitter_of(spec, id, due + i * 1h));
        EXPECT_GE(*all.begin(), 0us);
        EXPECT_LE(*all.rbegin(), 10min);
    }
    EXPECT_GT(all.size(), 90u);
    EXPECT_EQ(jitter_of(read({{"every", "1h"}}).value(), id, due), 0us);
}

TEST(ScheduleSpec, TheDueTimeIsFilledIn) {
    const Moment due = moment("2026-01-01T00:00:00Z");
    const bj::value filled = schedule::filled_in(
        bj::value(bj::object{{"a", bj::array{"${due}", 1}}, {"b", "at ${due}, ${due}"}}), due);
    EXPECT_EQ(filled.at("a").at(0).as_string(), "2026-01-01T00:00:00.000000Z");
    EXPECT_EQ(filled.at("b").as_string(),
              "at 2026-01-01T00:00:00.000000Z, 2026-01-01T00:00:00.000000Z");
}

TEST(ScheduleYear, EveryDueTimeFiresOnceHoweverLate) {
    const YearPlan plan{.spec = {{"every", "1h"}, {"jitter", "90m"}, {"catchUp", "24h"}},
                        .begin = moment("2026-01-01T00:00:00Z"),
                        .end = moment("2027-01-01T00:00:00Z"),
                        .latest = 5s,
                        .outage = 12h};
    const auto fired = fire_through(plan);
    ASSERT_GT(fired.size(), 8'700u);
    for (std::size_t i = 0; i < fired.size(); ++i)
        ASSERT_EQ(fired[i], plan.begin + (i + 1) * 1h) << i;
}

// One reaction of a schedule whose timer comes after a day.
schedule::Progress after_a_day(bj::object members) {
    members["send"] = bj::object{{"event", "tick"}};
    Instance instance{.id = schedule_of("default", "late"),
                      .status = Status::suspended,
                      .version = 1,
                      .created_at = moment("2026-01-01T00:00:00Z")};
    instance.state = schedule::first_state(members);
    const Waiting waiting{.token = {}, .wait = {}};
    instance.state = schedule_program()
                         ->react(instance, stimulus::TimerReached{waiting, instance.created_at},
                                 instance.created_at + 24h)
                         .state.value();
    return schedule::read_schedule(instance).value().progress;
}

TEST(ScheduleYear, WhatIsLaterThanItsWindowIsMissed) {
    const auto hourly = after_a_day({{"every", "1h"}, {"catchUp", "2h"}});
    EXPECT_EQ(hourly.missed, 21u);
    EXPECT_EQ(hourly.fired, 3u) << "two hours ago counts";
    const auto often = after_a_day({{"every", "1s"}, {"catchUp", "10s"}});
    EXPECT_EQ(often.missed, 1'000u) << "counted to a thousand, then passed over";
    EXPECT_EQ(often.fired, 11u);
}

TEST(ScheduleYear, ARoundDoesABoundedPartOfWhatIsDue) {
    const auto often = after_a_day({{"every", "1s"}, {"catchUp", "24h"}});
    EXPECT_EQ(often.fired, 64u);
    EXPECT_EQ(often.missed, 0u);
}

}  // namespace
}  // namespace holdfast::testing
