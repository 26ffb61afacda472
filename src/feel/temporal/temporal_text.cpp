#include "feel/temporal/temporal_text.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "feel/values/utf8.h"

namespace holdfast::feel {
namespace {

constexpr std::int32_t most_offset = 18 * 3600;
constexpr std::size_t most_zones_kept = 16;

// Reads from the front; take() returns whether the character was there.
class Reader {
public:
    explicit Reader(std::string_view text) : rest_(text) {}

    bool at_end() const { return rest_.empty(); }
    std::string_view rest() const { return rest_; }
    char next() const { return rest_.empty() ? '\0' : rest_[0]; }
    bool take(char sign) {
        if (next() != sign) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::string_view digits() {
        std::size_t size = 0;
        while (size < rest_.size() && is_digit(rest_[size])) ++size;
        const std::string_view digits = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return digits;
    }
    // Exactly two digits.
    std::optional<std::int32_t> two_digits() {
        const std::string_view two = digits();
        if (two.size() != 2) return std::nullopt;
        return (two[0] - '0') * 10 + two[1] - '0';
    }
    // Up to 18 digits, at least one.
    std::optional<std::int64_t> number() {
        const std::string_view text = digits();
        std::int64_t number = 0;
        if (text.empty() || text.size() > 18) return std::nullopt;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number;
    }
    // The digits after a point, as nanoseconds; digits past the ninth are ignored.
    std::int32_t fraction() {
        const std::string_view text = digits().substr(0, 9);
        std::int32_t nano = 0;
        for (std::size_t i = 0; i < 9; ++i)
            nano = nano * 10 + (i < text.size() ? text[i] - '0' : 0);
        return nano;
    }

private:
    std::string_view rest_;
};

std::optional<Date> take_date(Reader& reader) {
    const bool negative = reader.take('-');
    const std::string_view digits = reader.digits();
    if (digits.size() < 4 || digits.size() > 9 || (digits.size() > 4 && digits[0] == '0'))
        return std::nullopt;
    std::int32_t year = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), year);
    if (!reader.take('-')) return std::nullopt;
    const auto month = reader.two_digits();
    if (!month || !reader.take('-')) return std::nullopt;
    const auto day = reader.two_digits();
    if (!day) return std::nullopt;
    return Date::of(negative ? -year : year, *month, *day);
}

std::optional<std::int32_t> take_offset(Reader& reader) {
    const bool negative = reader.next() == '-';
    if (!reader.take('-') && !reader.take('+')) return std::nullopt;
    const auto hours = reader.two_digits();
    if (!hours || !reader.take(':')) return std::nullopt;
    const auto minutes = reader.two_digits();
    const auto seconds = reader.take(':') ? reader.two_digits() : std::optional(0);
    if (!minutes || !seconds || *minutes > 59 || *seconds > 59) return std::nullopt;
    const std::int32_t offset = *hours * 3600 + *minutes * 60 + *seconds;
    if (offset > most_offset) return std::nullopt;
    return negative ? -offset : offset;
}

// Consumes the rest of the text.
std::optional<Place> take_place(Reader& reader, ZoneCache& zones) {
    if (reader.at_end()) return Place{};
    if (reader.take('@')) {
        auto zone = zones.find(reader.rest());
        if (!zone) return std::nullopt;
        return Place::in(std::move(zone));
    }
    const auto offset = reader.take('Z') ? std::optional(0) : take_offset(reader);
    if (!offset || !reader.at_end()) return std::nullopt;
    return Place::at(*offset);
}

// 24:00:00 counts as the end of the day: 86,400 seconds.
std::optional<Time> take_time(Reader& reader, ZoneCache& zones) {
    const auto hour = reader.two_digits();
    if (!hour || !reader.take(':')) return std::nullopt;
    const auto minute = reader.two_digits();
    if (!minute || !reader.take(':')) return std::nullopt;
    const auto second = reader.two_digits();
    if (!second || *minute > 59 || *second > 59) return std::nullopt;
    if (reader.next() == '.' && !(reader.rest().size() > 1 && is_digit(reader.rest()[1])))
        return std::nullopt;
    const std::int32_t nano = reader.take('.') ? reader.fraction() : 0;
    const std::int32_t total = *hour * 3600 + *minute * 60 + *second;
    if (total > 86'400 || (total == 86'400 && nano > 0)) return std::nullopt;
    auto place = take_place(reader, zones);
    if (!place) return std::nullopt;
    return Time{total, nano, *std::move(place)};
}

std::string fraction_text(std::int32_t nano) {
    if (nano == 0) return {};
    char digits[16];
    std::snprintf(digits, sizeof digits, ".%09d", nano);
    std::string text = digits;
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

std::string place_text(const Place& place) {
    if (place.kind == Place::Kind::local) return {};
    if (place.kind == Place::Kind::zone) return "@" + place.zone->name();
    if (place.offset == 0) return "Z";
    const std::int32_t offset = std::abs(place.offset);
    char text[16];
    std::snprintf(text, sizeof text, "%c%02d:%02d", place.offset < 0 ? '-' : '+', offset / 3600,
                  offset / 60 % 60);
    std::string whole = text;
    if (offset % 60 == 0) return whole;
    std::snprintf(text, sizeof text, ":%02d", offset % 60);
    return whole + text;
}

// A part of a duration: its letter and that unit in months or seconds.
struct DurationPart {
    char letter;
    std::int64_t unit;
};

}  // namespace

std::shared_ptr<const Zone> ZoneCache::find(std::string_view name) {
    const auto same = [&](const auto& zone) { return zone->name() == name; };
    if (const auto known = std::ranges::find_if(known_, same); known != known_.end()) return *known;
    auto zone = Zone::find(name);
    if (zone && known_.size() < most_zones_kept) known_.push_back(zone);
    return zone;
}

std::optional<Date> parse_date(std::string_view text) {
    Reader reader(text);
    const auto date = take_date(reader);
    return reader.at_end() ? date : std::nullopt;
}

std::optional<Time> parse_time(std::string_view text, ZoneCache& zones) {
    Reader reader(text);
    auto time = take_time(reader, zones);
    if (time) time->second %= 86'400;
    return time;
}

std::optional<DateTime> parse_date_time(std::string_view text, ZoneCache& zones) {
    Reader reader(text);
    auto date = take_date(reader);
    if (!date || !reader.take('T')) return std::nullopt;
    auto time = take_time(reader, zones);
    if (!time) return std::nullopt;
    if (time->second == 86'400) {
        date = Date::of_day(date->number() + 1);
        time->second = 0;
    }
    if (!date) return std::nullopt;
    return DateTime{*date, *std::move(time)};
}

std::optional<Months> parse_months(std::string_view text) {
    Reader reader(text);
    const bool negative = reader.take('-');
    if (!reader.take('P')) return std::nullopt;
    std::int64_t months = 0;
    bool any = false;
    for (const auto& [letter, unit] : {DurationPart{'Y', 12}, DurationPart{'M', 1}}) {
        Reader ahead = reader;
        const auto count = ahead.number();
        if (!count || !ahead.take(letter)) continue;
        std::int64_t product = 0;
        if (__builtin_mul_overflow(*count, unit, &product) ||
            __builtin_add_overflow(months, product, &months))
            return std::nullopt;
        reader = ahead;
        any = true;
    }
    if (!any || !reader.at_end()) return std::nullopt;
    return Months{negative ? -months : months};
}

std::optional<Seconds> parse_seconds(std::string_view text) {
    Reader reader(text);
    const bool negative = reader.take('-');
    if (!reader.take('P')) return std::nullopt;
    Seconds total;
    bool any = false;
    bool in_time = false;
    for (const auto& [letter, unit] : {DurationPart{'D', 86'400}, DurationPart{'H', 3600},
                                       DurationPart{'M', 60}, DurationPart{'S', 1}}) {
        if (letter == 'H') in_time = reader.take('T');
        if (letter != 'D' && !in_time) break;
        Reader ahead = reader;
        const auto count = ahead.number();
        const std::int32_t nano = letter == 'S' && ahead.take('.') ? ahead.fraction() : 0;
        if (!count || !ahead.take(letter)) continue;
        std::int64_t product = 0;
        if (__builtin_mul_overflow(*count, unit, &product)) return std::nullopt;
        const auto sum = add(total, Seconds{product, nano});
        if (!sum || product > INT64_MAX / 8) return std::nullopt;
        total = *sum;
        reader = ahead;
        any = true;
        if (letter != 'D') in_time = true;
    }
    if (!any || !reader.at_end() || text.ends_with('T')) return std::nullopt;
    return negative ? negated(total) : total;
}

std::string text_of(Date date) {
    char text[32];
    std::snprintf(text, sizeof text, "%s%04d-%02d-%02d", date.year < 0 ? "-" : "",
                  std::abs(date.year), date.month, date.day);
    return text;
}

std::string text_of(const Time& time) {
    char text[16];
    std::snprintf(text, sizeof text, "%02d:%02d:%02d", time.hour(), time.minute(),
                  time.second % 60);
    return text + fraction_text(time.nano) + place_text(time.place);
}

std::string text_of(const DateTime& moment) {
    return text_of(moment.date) + "T" + text_of(moment.time);
}

std::string text_of(Months duration) {
    const std::int64_t count = std::abs(duration.count);
    if (count == 0) return "P0M";
    std::string text = duration.count < 0 ? "-P" : "P";
    if (count >= 12) text += std::to_string(count / 12) + "Y";
    if (count % 12 != 0) text += std::to_string(count % 12) + "M";
    return text;
}

std::string text_of(Seconds duration) {
    if (duration.count == 0 && duration.nano == 0) return "PT0S";
    std::string text = "P";
    if (duration.count < 0) {
        text = "-P";
        duration = negated(duration).value_or(duration);
    }
    const std::int64_t count = duration.count;
    if (count >= 86'400) text += std::to_string(count / 86'400) + "D";
    if (count % 86'400 == 0 && duration.nano == 0) return text;
    text += "T";
    if (count / 3600 % 24 != 0) text += std::to_string(count / 3600 % 24) + "H";
    if (count / 60 % 60 != 0) text += std::to_string(count / 60 % 60) + "M";
    if (count % 60 != 0 || duration.nano != 0)
        text += std::to_string(count % 60) + fraction_text(duration.nano) + "S";
    return text;
}

}  // namespace holdfast::feel
