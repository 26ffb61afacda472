#include "feel/temporal/temporal.h"

#include "feel/temporal/calendar.h"
#include "feel/values/wide.h"

namespace holdfast::feel {
namespace {

constexpr std::int64_t last_year = 999'999'999;
constexpr std::int64_t second_nanos = 1'000'000'000;

std::optional<Seconds> from_nanos(Wide nanos) {
    Wide seconds = nanos / second_nanos;
    if (nanos % second_nanos < 0) --seconds;
    if (seconds > INT64_MAX / 4 || seconds < INT64_MIN / 4) return std::nullopt;
    return Seconds{static_cast<std::int64_t>(seconds),
                   static_cast<std::int32_t>(nanos - seconds * second_nanos)};
}

Wide nanos_of(Seconds duration) { return Wide{duration.count} * second_nanos + duration.nano; }

std::optional<DateTime> from_local(Seconds local, const Place& place) {
    const std::int64_t day = floor_divided(local.count, day_seconds);
    const auto date = Date::of_day(day);
    if (!date) return std::nullopt;
    const auto second = static_cast<std::int32_t>(local.count - day * day_seconds);
    return DateTime{*date, {second, local.nano, place}};
}

// Seconds since 1970, in UTC or, for a local time, as shown.
std::int64_t instant(const DateTime& moment) {
    return moment.local_seconds() - moment.offset().value_or(0);
}

}  // namespace

std::optional<Date> Date::of(std::int64_t year, std::int64_t month, std::int64_t day) {
    if (year < -last_year || year > last_year || month < 1 || month > 12 || day < 1)
        return std::nullopt;
    if (day > days_in_month(year, static_cast<int>(month))) return std::nullopt;
    return Date{static_cast<std::int32_t>(year), static_cast<std::uint8_t>(month),
                static_cast<std::uint8_t>(day)};
}

std::optional<Date> Date::of_day(std::int64_t day_number) {
    if (day_number > 400'000'000'000 || day_number < -400'000'000'000) return std::nullopt;
    const Civil civil = civil_of(day_number);
    return of(civil.year, civil.month, civil.day);
}

bool Place::operator==(const Place& other) const {
    if (kind != other.kind) return false;
    if (kind == Kind::zone) return zone->name() == other.zone->name();
    return offset == other.offset;
}

Decimal Time::seconds() const { return Seconds{.count = second % 60, .nano = nano}.decimal(); }

std::optional<std::int32_t> Time::offset() const {
    switch (place.kind) {
        case Place::Kind::local: break;
        case Place::Kind::offset: return place.offset;
        case Place::Kind::zone: return place.zone->standard_offset();
    }
    return std::nullopt;
}

std::optional<std::int32_t> DateTime::offset() const {
    if (time.place.kind != Place::Kind::zone) return time.offset();
    return time.place.zone->offset_at_local(local_seconds());
}

Decimal Seconds::decimal() const {
    const Decimal whole(count);
    if (nano == 0) return whole;
    const auto fraction = multiply(Decimal(nano), *Decimal::parse("0.000000001"));
    return *add(whole, *fraction);
}

std::optional<Seconds> Seconds::of(const Decimal& seconds) {
    const Decimal floored = rounded(seconds, 0, Rounding::floor);
    const auto count = floored.whole();
    if (!count || *count > INT64_MAX / 4 || *count < INT64_MIN / 4) return std::nullopt;
    const auto fraction = subtract(seconds, floored);
    const auto nanos = fraction ? multiply(*fraction, Decimal(second_nanos)) : std::nullopt;
    const auto nano = nanos ? nanos->truncated() : std::nullopt;
    if (!nano) return std::nullopt;
    return Seconds{*count, static_cast<std::int32_t>(*nano)};
}

std::optional<std::strong_ordering> order(const Time& a, const Time& b) {
    if (a.place.is_local() != b.place.is_local()) return std::nullopt;
    if (a.place == b.place) return a.second <=> b.second;
    return a.second - *a.offset() <=> b.second - *b.offset();
}

std::optional<std::strong_ordering> order(const DateTime& a, const DateTime& b) {
    if (a.time.place.is_local() != b.time.place.is_local()) return std::nullopt;
    return instant(a) <=> instant(b);
}

std::optional<Months> negated(Months duration) { return Months{-duration.count}; }

std::optional<Seconds> negated(Seconds duration) { return from_nanos(-nanos_of(duration)); }

std::optional<Months> add(Months a, Months b) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a.count, b.count, &sum) || sum == INT64_MIN) return std::nullopt;
    return Months{sum};
}

std::optional<Seconds> add(Seconds a, Seconds b) { return from_nanos(nanos_of(a) + nanos_of(b)); }

std::optional<Date> add(Date date, Months duration) {
    const auto months = add(Months{std::int64_t{date.year} * 12 + date.month - 1}, duration);
    if (!months) return std::nullopt;
    const std::int64_t year = floor_divided(months->count, 12);
    if (year < -last_year || year > last_year) return std::nullopt;
    const int month = static_cast<int>(months->count - year * 12) + 1;
    return Date::of(year, month, std::min<int>(date.day, days_in_month(year, month)));
}

std::optional<DateTime> add(const DateTime& moment, Months duration) {
    const auto date = add(moment.date, duration);
    if (!date) return std::nullopt;
    return DateTime{*date, moment.time};
}

std::optional<DateTime> add(const DateTime& moment, Seconds duration) {
    const Seconds local{moment.local_seconds(), moment.time.nano};
    const auto sum = add(local, duration);
    if (!sum || moment.time.place.kind != Place::Kind::zone)
        return sum ? from_local(*sum, moment.time.place) : std::nullopt;
    const std::int64_t utc = sum->count - *moment.offset();
    const std::int32_t offset = moment.time.place.zone->offset_at(utc);
    return from_local({utc + offset, sum->nano}, moment.time.place);
}

std::optional<Date> add(Date date, Seconds duration) {
    const auto moment = add(DateTime{date, {}}, duration);
    if (!moment) return std::nullopt;
    return moment->date;
}

Time add(const Time& time, Seconds duration) {
    const std::int64_t days = floor_divided(duration.count, day_seconds);
    std::int64_t second = time.second + duration.count - days * day_seconds;
    std::int32_t nano = time.nano + duration.nano;
    if (nano >= second_nanos) {
        nano -= second_nanos;
        ++second;
    }
    return {static_cast<std::int32_t>(second % day_seconds), nano, time.place};
}

std::optional<Seconds> subtract(const DateTime& a, const DateTime& b) {
    if (a.time.place.is_local() != b.time.place.is_local()) return std::nullopt;
    return from_nanos(nanos_of({instant(a), a.time.nano}) - nanos_of({instant(b), b.time.nano}));
}

std::optional<Seconds> subtract(const Time& a, const Time& b) {
    if (a.place.is_local() != b.place.is_local()) return std::nullopt;
    const bool same = a.place == b.place;
    const std::int64_t first = a.second - (same ? 0 : *a.offset());
    const std::int64_t second = b.second - (same ? 0 : *b.offset());
    return from_nanos(nanos_of({first, a.nano}) - nanos_of({second, b.nano}));
}

Months months_between(Date from, Date to) {
    std::int64_t months = (std::int64_t{to.year} - from.year) * 12 + to.month - from.month;
    if (months > 0 && to.day < from.day) --months;
    if (months < 0 && to.day > from.day) ++months;
    return {months};
}

DateTime midnight(Date date) { return {date, {0, 0, Place::at(0)}}; }

}  // namespace holdfast::feel
