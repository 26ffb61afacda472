// ISO 8601 dates, durations and cycles, and when timers are due.
#include <gtest/gtest.h>

#include "bpmn/timer/schedule.h"

namespace holdfast::bpmn {
namespace {

using namespace std::chrono_literals;

Moment moment(std::string_view text) {
    const auto parsed = parse_timer_date(text);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(Moment{});
}

// Everything that a timer that was armed at `armed` does, at most ten times.
std::vector<Moment> firings(const Schedule& schedule, Moment armed) {
    std::vector<Moment> due;
    TimerProgress progress{.armed = armed};
    while (const auto next = next_due(schedule, progress)) {
        due.push_back(*next);
        if (due.size() == 10) break;
        progress = {.armed = armed, .fired = progress.fired + 1, .last_due = *next};
    }
    return due;
}

std::vector<Moment> cycle_firings(std::string_view text, std::string_view armed) {
    const auto cycle = parse_timer_cycle(text);
    if (!cycle) ADD_FAILURE() << cycle.error().message;
    return cycle ? firings(*cycle, moment(armed)) : std::vector<Moment>{};
}

TEST(TimerDate, IsAMomentInUtcUnlessItHasAnOffset) {
    EXPECT_EQ(moment("1970-01-01T00:00:10Z"), Moment(10s));
    EXPECT_EQ(moment("1970-01-01T00:00:10"), Moment(10s));
    EXPECT_EQ(moment("1970-01-01T01:00:10+01:00"), Moment(10s));
    EXPECT_EQ(moment("1970-01-01T00:00:10.5Z"), Moment(10500ms));
    EXPECT_EQ(moment("1970-01-02"), Moment(24h));
    EXPECT_EQ(moment("1970-01-01T10:30Z"), Moment(10h + 30min));
    EXPECT_EQ(moment("2026-07-01T12:00:00@Europe/Berlin"), moment("2026-07-01T10:00:00Z"));
    for (const auto text : {"", "INVALID", "2026-13-01T00:00:00Z", "2026-02-30", "10:00:00",
                            "999999999-01-01T00:00:00Z"})
        EXPECT_FALSE(parse_timer_date(text)) << text;
}

TEST(TimerDuration, HasCalendarMonthsAndElapsedTime) {
    EXPECT_EQ(*parse_timer_duration("PT10S"), (Period{0, 10'000'000}));
    EXPECT_EQ(*parse_timer_duration("P1Y2M"), (Period{14, 0}));
    EXPECT_EQ(*parse_timer_duration("P1DT12H30M0.25S"),
              (Period{0, ((36 * 60 + 30) * 60) * 1'000'000LL + 250'000}));
    EXPECT_EQ(*parse_timer_duration("P2W"), (Period{0, 14 * 86'400 * 1'000'000LL}));
    EXPECT_EQ(*parse_timer_duration("PT0S"), (Period{0, 0}));
    for (const auto text : {"", "P", "PT", "10S", "PT10", "P1S", "PT1D", "PT1M1H", "PT1.5M", "P-1D",
                            "-P1D", "PT1S1S", "P1DT", "PT99999999999999999S", "INVALID"})
        EXPECT_FALSE(parse_timer_duration(text)) << text;
}

TEST(TimerDuration, AMonthEndsOnItsLastDay) {
    const Period month = *parse_timer_duration("P1M");
    EXPECT_EQ(after(moment("2026-01-31T10:00:00Z"), month, 1), moment("2026-02-28T10:00:00Z"));
    EXPECT_EQ(after(moment("2026-01-31T10:00:00Z"), month, 2), moment("2026-03-31T10:00:00Z"));
    EXPECT_EQ(after(moment("1969-12-31T23:59:59Z"), month, 1), moment("1970-01-31T23:59:59Z"));
    EXPECT_FALSE(after(Moment::max(), month, 1));
    EXPECT_FALSE(after(Moment{}, *parse_timer_duration("P9999Y"), 4'000'000'000));
}

TEST(TimerCycle, RepeatsOnePeriodAfterItWasArmed) {
    EXPECT_EQ(cycle_firings("R3/PT10S", "1970-01-01"),
              (std::vector<Moment>{Moment(10s), Moment(20s), Moment(30s)}));
    EXPECT_EQ(cycle_firings("R/PT1H", "1970-01-01").size(), 10u);
    EXPECT_EQ(cycle_firings("R-1/PT1H", "1970-01-01").size(), 10u);
    EXPECT_EQ(cycle_firings("PT1H", "1970-01-01").size(), 10u);
    EXPECT_TRUE(cycle_firings("R0/PT1H", "1970-01-01").empty());
    EXPECT_EQ(cycle_firings("R3/P1M", "2026-01-31").back(), moment("2026-04-30"));
}

TEST(TimerCycle, MayHaveAStartOrAnEnd) {
    EXPECT_EQ(cycle_firings("R2/1970-01-01T00:01:00Z/PT10S", "1970-01-01"),
              (std::vector<Moment>{Moment(60s), Moment(70s)}));
    EXPECT_EQ(cycle_firings("R/PT10S/1970-01-01T00:00:25Z", "1970-01-01"),
              (std::vector<Moment>{Moment(10s), Moment(20s)}));
    EXPECT_EQ(cycle_firings("R2/1970-01-01T00:01:00Z/1970-01-01T00:01:30Z", "1970-01-01"),
              (std::vector<Moment>{Moment(60s), Moment(90s)}));
}

TEST(TimerCycle, IsRefusedWithoutAPeriod) {
    for (const auto text : {"", "R", "R3", "R3/", "R3/INVALID", "R3/PT0S", "PT0S", "Rx/PT1S",
                            "R3/PT1S/PT1S", "R3/1970-01-01T00:00:00Z", "R1/PT1S/x", "10S",
                            "R99999999999/PT1S", "R3/PT1S/1970-01-01/x"})
        EXPECT_FALSE(parse_timer_cycle(text)) << text;
    EXPECT_FALSE(parse_timer_cycle("R3/PT" + std::string(1000, '1') + "S"));
}

TEST(Timer, ADateAndADurationAreDueOnce) {
    EXPECT_EQ(firings(moment("1970-01-02"), Moment{}), std::vector<Moment>{Moment(24h)});
    EXPECT_EQ(firings(*parse_timer_duration("PT5S"), Moment(1s)), std::vector<Moment>{Moment(6s)});
}

TEST(Cron, FollowsItsFields) {
    const auto first = [](std::string_view text, std::string_view from) {
        const auto cron = parse_cron(text);
        EXPECT_TRUE(cron) << (cron ? "" : cron.error().message);
        return cron ? next_match(*cron, moment(from)) : std::nullopt;
    };
    EXPECT_EQ(first("0 0/5 * * * ?", "2026-01-01T00:00:00Z"), moment("2026-01-01T00:05:00Z"));
    EXPECT_EQ(first("3 0/5 * * * ?", "2026-01-01T00:00:00Z"), moment("2026-01-01T00:00:03Z"));
    EXPECT_EQ(first("*/15 * * * *", "2026-01-01T00:50:00Z"), moment("2026-01-01T01:00:00Z"));
    EXPECT_EQ(first("0 9 * * MON-FRI", "2026-01-02T09:00:00Z"), moment("2026-01-05T09:00:00Z"));
    EXPECT_EQ(first("0 0 9 ? * 2", "2026-01-02T09:00:00Z"), moment("2026-01-05T09:00:00Z"))
        << "Quartz counts from Sunday 1";
    EXPECT_EQ(first("0 9 * * 1", "2026-01-02T09:00:00Z"), moment("2026-01-05T09:00:00Z"));
    EXPECT_EQ(first("0 0 29 2 *", "2026-01-01"), moment("2028-02-29"));
    EXPECT_EQ(first("0 0 0 L * ?", "2026-02-01"), moment("2026-02-28"));
    EXPECT_EQ(first("0 0 0 ? * 6#2", "2026-01-01"), moment("2026-01-09")) << "second Friday";
    EXPECT_EQ(first("0 0 0 ? * FRIL", "2026-01-01"), moment("2026-01-30")) << "last Friday";
    EXPECT_EQ(first("0 0 0 1 1 ? 2030", "2026-01-01"), moment("2030-01-01"));
    EXPECT_EQ(first("0 0 13 * FRI", "2026-01-10"), moment("2026-01-13")) << "either one";
    EXPECT_EQ(first("0 0 * * FRI-MON", "2026-01-06"), moment("2026-01-09"));
    EXPECT_EQ(first("@daily", "2026-01-01T10:00:00Z"), moment("2026-01-02"));
    EXPECT_EQ(first("0 0 0 1 1 ? 2020", "2026-01-01"), std::nullopt);
    EXPECT_EQ(first("0 0 30 2 *", "2026-01-01"), std::nullopt);
    EXPECT_EQ(first("0 0 1 1 *", "1960-01-01"), moment("1970-01-01"));
}

TEST(Cron, MayHaveAZone) {
    const Cron cron = *parse_cron("CRON_TZ=Europe/Berlin 30 2 * * *");
    EXPECT_EQ(next_match(cron, moment("2026-01-01")), moment("2026-01-01T01:30:00Z"));
    EXPECT_EQ(next_match(cron, moment("2026-07-01")), moment("2026-07-01T00:30:00Z"));
    // 02:30 does not exist on 2026-03-29 and exists twice on 2026-10-25.
    EXPECT_EQ(next_match(cron, moment("2026-03-28T12:00:00Z")), moment("2026-03-29T01:30:00Z"));
    const auto first = next_match(cron, moment("2026-10-24T12:00:00Z"));
    EXPECT_EQ(first, moment("2026-10-25T00:30:00Z"));
    EXPECT_EQ(next_match(cron, *first), moment("2026-10-26T01:30:00Z"));
}

// The clock goes from 02:00 to 03:00 on 2026-03-29: both are due, in their order.
TEST(Cron, EveryTimeThatAChangeSkipsIsDue) {
    const Cron cron = *parse_cron("CRON_TZ=Europe/Berlin 0,30 2 * * *");
    const auto first = next_match(cron, moment("2026-03-28T12:00:00Z"));
    EXPECT_EQ(first, moment("2026-03-29T01:00:00Z"));
    const auto second = next_match(cron, *first);
    EXPECT_EQ(second, moment("2026-03-29T01:30:00Z"));
    EXPECT_EQ(next_match(cron, *second), moment("2026-03-30T00:00:00Z"));
    // Lord Howe skips half an hour from 02:00: 02:15 is due at 02:45, after 02:40.
    const Cron island = *parse_cron("CRON_TZ=Australia/Lord_Howe 15,40 2 * * *");
    const auto real = next_match(island, moment("2026-10-03T12:00:00Z"));
    EXPECT_EQ(real, moment("2026-10-03T15:40:00Z"));
    const auto skipped = next_match(island, *real);
    EXPECT_EQ(skipped, moment("2026-10-03T15:45:00Z"));
    EXPECT_EQ(next_match(island, *skipped), moment("2026-10-04T15:15:00Z"));
}

TEST(Cron, IsRefusedWithTheFieldThatIsWrong) {
    for (const auto text : {"", "* * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *",
                            "* * * 13 *", "* * * * 8", "*/0 * * * *", "5-1 * * * *", "a * * * *",
                            "* * * * * * * *", "0 0 0 ? * 8", "0 0 0 ? * 6#6", "0 0 0 15W * ?",
                            "@never", "TZ=No/Where * * * * *", "0 0 0 ? * 1-2#1", ", * * * *"})
        EXPECT_FALSE(parse_cron(text)) << text;
    EXPECT_TRUE(looks_like_cron("0 0 * * *"));
    EXPECT_FALSE(looks_like_cron("R/PT1S"));
}

}  // namespace
}  // namespace holdfast::bpmn
