// The proleptic Gregorian calendar, on plain numbers. There is a year 0, preceded by negative
// years.
#pragma once

#include <cstdint>

namespace holdfast::feel {

inline constexpr std::int64_t day_seconds = 86'400;

// Rounds down, for negative numbers too.
constexpr std::int64_t floor_divided(std::int64_t number, std::int64_t by) {
    const std::int64_t quotient = number / by;
    return number % by < 0 ? quotient - 1 : quotient;
}

struct Civil {
    std::int64_t year;
    int month;
    int day;
};

bool is_leap(std::int64_t year);
// `month` is 1 to 12.
int days_in_month(std::int64_t year, int month);
// Days since 1970-01-01.
std::int64_t day_number(std::int64_t year, int month, int day);
Civil civil_of(std::int64_t day_number);
// Monday 1 to Sunday 7.
int weekday(std::int64_t day_number);
// 1 to 366.
int day_of_year(const Civil& civil);
// ISO 8601: the week that has most of its days in the year is its first.
int week_of_year(const Civil& civil);

}  // namespace holdfast::feel
