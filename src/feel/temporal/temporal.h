// FEEL's dates, times and durations: values, their fields and their arithmetic. A result outside
// the years -999,999,999 to 999,999,999 is absent.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>

#include "feel/temporal/calendar.h"
#include "feel/temporal/zone.h"
#include "feel/values/decimal.h"

namespace holdfast::feel {

struct Date {
    std::int32_t year = 1970;
    std::uint8_t month = 1;
    std::uint8_t day = 1;

    static std::optional<Date> of(std::int64_t year, std::int64_t month, std::int64_t day);
    static std::optional<Date> of_day(std::int64_t day_number);
    std::int64_t number() const { return day_number(year, month, day); }
    Civil civil() const { return {year, month, day}; }
    auto operator<=>(const Date&) const = default;
};

// Local, at an offset, or in a zone.
struct Place {
    enum class Kind : std::uint8_t { local, offset, zone };

    Kind kind = Kind::local;
    std::int32_t offset = 0;  // seconds east of Greenwich
    std::shared_ptr<const Zone> zone;

    static Place at(std::int32_t offset) { return {Kind::offset, offset, nullptr}; }
    static Place in(std::shared_ptr<const Zone> zone) { return {Kind::zone, 0, std::move(zone)}; }
    bool is_local() const { return kind == Kind::local; }
    // The same kind, and the same offset or the same name of a zone.
    bool operator==(const Place& other) const;
};

struct Time {
    std::int32_t second = 0;  // of the day
    std::int32_t nano = 0;
    Place place;

    bool operator==(const Time&) const = default;
    int hour() const { return second / 3600; }
    int minute() const { return second / 60 % 60; }
    // With its fraction.
    Decimal seconds() const;
    // Absent for a local time. In a zone it is the standard offset: a time has no date, so summer
    // time cannot be considered.
    std::optional<std::int32_t> offset() const;
};

struct DateTime {
    Date date;
    Time time;

    bool operator==(const DateTime&) const = default;
    // Wall-clock seconds since 1970.
    std::int64_t local_seconds() const { return date.number() * 86'400 + time.second; }
    std::optional<std::int32_t> offset() const;
};

// A years and months duration.
struct Months {
    std::int64_t count = 0;

    auto operator<=>(const Months&) const = default;
};

// A days and time duration: seconds, rounded down, and nanoseconds on top.
struct Seconds {
    std::int64_t count = 0;
    std::int32_t nano = 0;

    auto operator<=>(const Seconds&) const = default;
    // Exact; a number of seconds.
    Decimal decimal() const;
    static std::optional<Seconds> of(const Decimal& seconds);
};

// Order of two times or date-times by whole seconds, as the standard defines it. Absent: one is
// local and the other is not.
std::optional<std::strong_ordering> order(const Time& a, const Time& b);
std::optional<std::strong_ordering> order(const DateTime& a, const DateTime& b);

std::optional<Months> negated(Months duration);
std::optional<Seconds> negated(Seconds duration);
std::optional<Months> add(Months a, Months b);
std::optional<Seconds> add(Seconds a, Seconds b);
// A day that the month lacks becomes its last one.
std::optional<Date> add(Date date, Months duration);
std::optional<DateTime> add(const DateTime& moment, Months duration);
// In a zone by elapsed time, otherwise by wall-clock time.
std::optional<DateTime> add(const DateTime& moment, Seconds duration);
// Whole days: the fraction of a day is dropped, toward the past.
std::optional<Date> add(Date date, Seconds duration);
// Wraps at midnight.
Time add(const Time& time, Seconds duration);

// Absent: one is local and the other is not.
std::optional<Seconds> subtract(const DateTime& a, const DateTime& b);
std::optional<Seconds> subtract(const Time& a, const Time& b);
// Whole months from one day to another, negative backwards.
Months months_between(Date from, Date to);

// A date as the standard converts it: midnight UTC.
DateTime midnight(Date date);

}  // namespace holdfast::feel
