#include "feel/temporal/calendar.h"

#include <array>

namespace holdfast::feel {
namespace {

constexpr std::int64_t days_in_era = 146'097;  // 400 years
constexpr std::int64_t epoch_day = 719'468;    // 1970-01-01, counted from 0000-03-01

int weeks_in_year(std::int64_t year) {
    const int new_year = weekday(day_number(year, 1, 1));
    return new_year == 4 || (new_year == 3 && is_leap(year)) ? 53 : 52;
}

}  // namespace

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(std::int64_t year, int month) {
    constexpr std::array<int, 12> days = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[static_cast<std::size_t>(month - 1)];
}

// Years begin in March here, so that the leap day comes last.
std::int64_t day_number(std::int64_t year, int month, int day) {
    if (month <= 2) --year;
    const std::int64_t era = floor_divided(year, 400);
    const std::int64_t year_of_era = year - era * 400;
    const int march_month = month > 2 ? month - 3 : month + 9;
    const std::int64_t day_of_march_year = (153 * march_month + 2) / 5 + day - 1;
    const std::int64_t day_of_era =
        year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_march_year;
    return era * days_in_era + day_of_era - epoch_day;
}

Civil civil_of(std::int64_t day_number) {
    day_number += epoch_day;
    const std::int64_t era = floor_divided(day_number, days_in_era);
    const std::int64_t day_of_era = day_number - era * days_in_era;
    const std::int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
    const auto day_of_march_year =
        static_cast<int>(day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100));
    const int march_month = (5 * day_of_march_year + 2) / 153;
    const int month = march_month < 10 ? march_month + 3 : march_month - 9;
    return {.year = year_of_era + era * 400 + (month <= 2 ? 1 : 0),
            .month = month,
            .day = day_of_march_year - (153 * march_month + 2) / 5 + 1};
}

int weekday(std::int64_t day_number) {
    const std::int64_t since_monday = day_number + 3;  // 1970-01-01 was a Thursday
    return static_cast<int>(since_monday - floor_divided(since_monday, 7) * 7) + 1;
}

int day_of_year(const Civil& civil) {
    return static_cast<int>(day_number(civil.year, civil.month, civil.day) -
                            day_number(civil.year, 1, 1)) +
           1;
}

int week_of_year(const Civil& civil) {
    const int today = weekday(day_number(civil.year, civil.month, civil.day));
    const int week = (day_of_year(civil) - today + 10) / 7;
    if (week < 1) return weeks_in_year(civil.year - 1);
    return week > weeks_in_year(civil.year) ? 1 : week;
}

}  // namespace holdfast::feel
