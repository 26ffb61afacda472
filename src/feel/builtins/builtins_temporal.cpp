#include <array>

#include "base/assert.h"
#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"

namespace holdfast::feel {
namespace {

Date date_in(const Value& value) {
    if (const auto* date = value.get<Date>()) return *date;
    const auto* moment = value.get<DateTime>();
    HF_ASSERT(moment, "the parameter admits dates and date-times only");
    return moment->date;
}

std::optional<DateTime> utc(std::optional<Moment> moment) {
    if (!moment) return std::nullopt;
    const auto micros = moment->time_since_epoch().count();
    const auto second = std::chrono::floor<std::chrono::seconds>(*moment);
    const std::int64_t seconds = second.time_since_epoch().count();
    const auto day = std::chrono::floor<std::chrono::days>(second).time_since_epoch().count();
    const auto date = Date::of_day(day);
    if (!date) return std::nullopt;
    return DateTime{
        *date,
        {static_cast<std::int32_t>(seconds - std::int64_t{day} * 86'400),
         static_cast<std::int32_t>((micros - seconds * 1'000'000) * 1000), Place::at(0)}};
}

Value now(Call& call) {
    auto moment = utc(call.now());
    if (!moment) return call.fail("the current time is not available here");
    return *std::move(moment);
}

Value today(Call& call) {
    const auto moment = utc(call.now());
    if (!moment) return call.fail("the current time is not available here");
    return moment->date;
}

Value year_day(Call& call) { return Decimal(day_of_year(date_in(call[0]).civil())); }

Value week_day(Call& call) {
    static constexpr std::array<const char*, 7> names = {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
    return Text(names[static_cast<std::size_t>(weekday(date_in(call[0]).number()) - 1)]);
}

Value year_month(Call& call) {
    static constexpr std::array<const char*, 12> names = {
        "January", "February", "March",     "April",   "May",      "June",
        "July",    "August",   "September", "October", "November", "December"};
    return Text(names[static_cast<std::size_t>(date_in(call[0]).month - 1)]);
}

Value year_week(Call& call) { return Decimal(week_of_year(date_in(call[0]).civil())); }

Value between(Call& call) { return months_between(date_in(call[0]), date_in(call[1])); }

constexpr Parameter date = {"date", Want::date_or_time};

constexpr Builtin temporal_rows[] = {
    {"now", {}, now, "The current date and time, UTC", "now() > @\"2020-01-01T00:00:00Z\""},
    {"today", {}, today, "The current date, UTC", "today() > @\"2020-01-01\""},
    {"day of year", {date}, year_day, "From 1 to 366", "day of year(@\"2024-12-31\")"},
    {"day of week",
     {date},
     week_day,
     "The English name of the day",
     "day of week(@\"2019-09-17\")"},
    {"month of year",
     {date},
     year_month,
     "The English name of the month",
     "month of year(@\"2019-09-17\")"},
    {"week of year",
     {date},
     year_week,
     "The week by ISO 8601, from 1 to 53",
     "week of year(@\"2010-01-01\")"},
    {"years and months duration",
     {{"from", Want::date_or_time}, {"to", Want::date_or_time}},
     between,
     "Whole months from one date to another",
     "years and months duration(@\"2011-12-22\", @\"2013-08-24\")"},
};

}  // namespace

std::span<const Builtin> temporal_builtins() { return temporal_rows; }

}  // namespace holdfast::feel
