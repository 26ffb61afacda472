// When timers are due: the ISO 8601 texts of timeDate, timeDuration and timeCycle, and the cron
// texts that modelers write into timeCycle. Pure: the caller says when a timer was armed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "base/time/moment.h"
#include "bpmn/timer/cron.h"

namespace holdfast::bpmn {

// P1Y2M3W4DT5H6M7.8S. Years and months follow the calendar, in UTC; a day is 24 hours.
struct Period {
    std::int64_t months = 0;
    std::int64_t microseconds = 0;

    auto operator<=>(const Period&) const = default;
};

// R3/PT10S, R/2026-01-01T00:00:00Z/P1D, R5/PT1H/2026-12-31T00:00:00Z, R/start/end.
struct Cycle {
    std::optional<std::uint32_t> repetitions;  // absent: without end
    std::optional<Moment> start;               // absent: one period after it was armed
    std::optional<Moment> end;                 // nothing is due after it
    Period period;

    bool operator==(const Cycle&) const = default;
};

using Schedule = std::variant<Moment, Period, Cycle, Cron>;

// What a timer has done so far.
struct TimerProgress {
    Moment armed;
    std::uint32_t fired = 0;
    Moment last_due{};  // of the last firing
};

// invalid_argument says what is wrong.
Result<Moment> parse_timer_date(std::string_view text);
Result<Period> parse_timer_duration(std::string_view text);
// Also a cron text, and a plain duration, which repeats without end.
Result<Schedule> parse_timer_cycle(std::string_view text);

// Absent: the calendar ends before.
std::optional<Moment> after(Moment from, const Period& period, std::uint32_t times);

// When the timer is due next; absent: never again. A date and a duration are due once.
std::optional<Moment> next_due(const Schedule& schedule, const TimerProgress& progress);

}  // namespace holdfast::bpmn
