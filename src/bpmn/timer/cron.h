// Cron texts: five fields (minute hour day month weekday), or six and seven as Quartz writes them
// (second first, year last), and the macros @hourly, @daily, @weekly, @monthly, @yearly. In UTC
// unless the text begins with CRON_TZ=Zone/Name or TZ=Zone/Name.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "base/time/moment.h"
#include "feel/temporal/zone.h"

namespace holdfast::bpmn {

struct Cron {
    std::bitset<60> seconds;
    std::bitset<60> minutes;
    std::bitset<24> hours;
    std::bitset<32> days;      // of the month, from 1
    std::bitset<13> months;    // from 1
    std::bitset<8> weekdays;   // Monday 1 to Sunday 7
    std::bitset<200> years;    // from 1970
    bool any_day = false;      // `*` or `?`: only the weekday counts
    bool any_weekday = false;  // and the reverse; if both are given, either one is enough
    bool last_day = false;     // `L` as day: the last one of the month
    int nth_weekday = 0;       // `5#2`: the second one; -1 for `5L`: the last one
    std::shared_ptr<const feel::Zone> zone;  // null: UTC

    bool operator==(const Cron& other) const;
};

// Whether a text looks like cron: several words, or a macro.
bool looks_like_cron(std::string_view text);
Result<Cron> parse_cron(std::string_view text);
// The first match after `from`; absent: none before the year 2170. A local time that a change of
// summer time skips is due as long after the change as it would have been without one (02:30 at
// 03:30); one that occurs twice is due once, the first time.
std::optional<Moment> next_match(const Cron& cron, Moment from);

}  // namespace holdfast::bpmn
