#include "base/time/moment.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace holdfast {
namespace {

// Reads exactly `digits` decimal digits at `at` and moves past them.
std::optional<int> take_number(std::string_view text, std::size_t& at, std::size_t digits) {
    if (at + digits > text.size()) return std::nullopt;
    int number = 0;
    const char* end = text.data() + at + digits;
    auto [stop, error] = std::from_chars(text.data() + at, end, number);
    if (error != std::errc{} || stop != end || text[at] == '-') return std::nullopt;
    at += digits;
    return number;
}

bool take_char(std::string_view text, std::size_t& at, char wanted) {
    if (at >= text.size() || text[at] != wanted) return false;
    ++at;
    return true;
}

// The fraction after the seconds, in microseconds; 0 if there is none.
std::optional<int> take_fraction(std::string_view text, std::size_t& at) {
    if (!take_char(text, at, '.')) return 0;
    int micros = 0;
    int digits = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at, ++digits)
        if (digits < 6) micros = micros * 10 + (text[at] - '0');
    if (digits == 0 || digits > 9) return std::nullopt;
    for (; digits < 6; ++digits) micros *= 10;
    return micros;
}

// Writes a number with leading zeros over the digits at a place.
void put_digits(std::string& text, std::size_t at, std::size_t digits, unsigned number) {
    for (std::size_t place = at + digits; place > at; number /= 10)
        text[--place] = static_cast<char>('0' + number % 10);
}

// A year with a sign or more than four digits.
std::string print_far_moment(const std::chrono::year_month_day& date,
                             const std::chrono::hh_mm_ss<std::chrono::microseconds>& time) {
    std::array<char, 40> text;
    const int size = std::snprintf(
        text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
        static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()), static_cast<int>(time.hours().count()),
        static_cast<int>(time.minutes().count()), static_cast<int>(time.seconds().count()),
        static_cast<int>(time.subseconds().count()));
    return {text.data(), static_cast<std::size_t>(size)};
}

}  // namespace

// Every row of a history has a time in its checksum, so this is called for each change: without
// snprintf, which takes longer than the checksum.
std::string to_iso8601(Moment moment) {
    using namespace std::chrono;
    const auto day = floor<days>(moment);
    const year_month_day date{day};
    const hh_mm_ss time{moment - day};
    const int year = static_cast<int>(date.year());
    if (year < 0 || year > 9999) return print_far_moment(date, time);
    std::string text = "0000-00-00T00:00:00.000000Z";
    put_digits(text, 0, 4, static_cast<unsigned>(year));
    put_digits(text, 5, 2, static_cast<unsigned>(date.month()));
    put_digits(text, 8, 2, static_cast<unsigned>(date.day()));
    put_digits(text, 11, 2, static_cast<unsigned>(time.hours().count()));
    put_digits(text, 14, 2, static_cast<unsigned>(time.minutes().count()));
    put_digits(text, 17, 2, static_cast<unsigned>(time.seconds().count()));
    put_digits(text, 20, 6, static_cast<unsigned>(time.subseconds().count()));
    return text;
}

std::optional<Moment> parse_iso8601(std::string_view text) {
    using namespace std::chrono;
    std::size_t at = 0;
    const auto year = take_number(text, at, 4);
    if (!year || !take_char(text, at, '-')) return std::nullopt;
    const auto month = take_number(text, at, 2);
    if (!month || !take_char(text, at, '-')) return std::nullopt;
    const auto day = take_number(text, at, 2);
    if (!day || !take_char(text, at, 'T')) return std::nullopt;
    const auto hour = take_number(text, at, 2);
    if (!hour || !take_char(text, at, ':')) return std::nullopt;
    const auto minute = take_number(text, at, 2);
    if (!minute || !take_char(text, at, ':')) return std::nullopt;
    const auto second = take_number(text, at, 2);
    if (!second) return std::nullopt;
    const auto micros = take_fraction(text, at);
    if (!micros || !take_char(text, at, 'Z') || at != text.size()) return std::nullopt;

    const year_month_day date{std::chrono::year{*year}, std::chrono::month(unsigned(*month)),
                              std::chrono::day(unsigned(*day))};
    if (!date.ok() || *hour > 23 || *minute > 59 || *second > 59) return std::nullopt;
    return sys_days{date} + hours{*hour} + minutes{*minute} + seconds{*second} +
           microseconds{*micros};
}

}  // namespace holdfast
