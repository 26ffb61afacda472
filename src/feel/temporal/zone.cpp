#include "feel/temporal/zone.h"

#include <algorithm>

#include "feel/temporal/calendar.h"
#include "feel/temporal/zone_file.h"

namespace holdfast::feel {
namespace {

std::int64_t day_of(const YearlyChange& change, std::int64_t year) {
    const std::int64_t new_year = day_number(year, 1, 1);
    switch (change.form) {
        case YearlyChange::Form::day_of_year: return new_year + change.day;
        case YearlyChange::Form::day_without_leap:
            return new_year + change.day - 1 + (change.day >= 60 && is_leap(year) ? 1 : 0);
        case YearlyChange::Form::month_week_day: break;
    }
    const std::int64_t first = day_number(year, change.month, 1);
    const int weekday_of_first = weekday(first) % 7;  // Sunday 0
    std::int64_t day =
        first + (change.day - weekday_of_first + 7) % 7 + std::int64_t{change.week - 1} * 7;
    while (day >= first + days_in_month(year, change.month)) day -= 7;
    return day;
}

// Seconds since 1970 as the local clock shows them.
std::int64_t moment_of(const YearlyChange& change, std::int64_t year) {
    return day_of(change, year) * day_seconds + change.second;
}

bool in_summer(std::int64_t at, std::int64_t begin, std::int64_t end) {
    return begin < end ? at >= begin && at < end : at >= begin || at < end;
}

std::int64_t year_at(std::int64_t local_seconds) {
    std::int64_t day = local_seconds / day_seconds;
    if (local_seconds % day_seconds < 0) --day;
    return civil_of(day).year;
}

std::int32_t offset_by_rule(const YearlyRule& rule, std::int64_t epoch_seconds) {
    if (!rule.begin || !rule.end) return rule.standard;
    const std::int64_t year = year_at(epoch_seconds + rule.standard);
    const std::int64_t begin = moment_of(*rule.begin, year) - rule.standard;
    const std::int64_t end = moment_of(*rule.end, year) - rule.summer;
    return in_summer(epoch_seconds, begin, end) ? rule.summer : rule.standard;
}

}  // namespace

std::shared_ptr<const Zone> Zone::find(std::string_view name) { return ZoneFile::read(name); }

std::int32_t Zone::offset_at(std::int64_t epoch_seconds) const {
    const auto next = std::ranges::upper_bound(transitions_, epoch_seconds, {}, &Transition::at);
    if (next == transitions_.begin()) return transitions_.empty() ? rule_.standard : first_offset_;
    if (next == transitions_.end()) return offset_by_rule(rule_, epoch_seconds);
    return std::prev(next)->offset;
}

std::int32_t Zone::offset_at_local(std::int64_t local_seconds) const {
    // The offset of the day before applies unless it changed since; try it first.
    const std::int32_t before = offset_at(local_seconds - day_seconds);
    if (offset_at(local_seconds - before) == before) return before;
    const std::int32_t after = offset_at(local_seconds + day_seconds);
    return offset_at(local_seconds - after) == after ? after : before;
}

}  // namespace holdfast::feel
