#include "feel/evaluation/properties.h"

#include <array>

namespace holdfast::feel {
namespace {

std::optional<Value> property(Date date, std::string_view name) {
    if (name == "year") return Decimal(date.year);
    if (name == "month") return Decimal(date.month);
    if (name == "day") return Decimal(date.day);
    if (name == "weekday") return Decimal(weekday(date.number()));
    return std::nullopt;
}

Value offset_value(std::optional<std::int32_t> offset) {
    if (!offset) return Null{};
    return Seconds{*offset, 0};
}

std::optional<Value> property(const Time& time, std::string_view name) {
    if (name == "hour") return Decimal(time.hour());
    if (name == "minute") return Decimal(time.minute());
    if (name == "second") return time.seconds();
    if (name == "time offset") return offset_value(time.offset());
    if (name != "timezone") return std::nullopt;
    if (time.place.kind != Place::Kind::zone) return Null{};
    return Text(time.place.zone->name());
}

std::optional<Value> property(const DateTime& moment, std::string_view name) {
    if (name == "time offset") return offset_value(moment.offset());
    if (auto found = property(moment.date, name)) return found;
    return property(moment.time, name);
}

std::optional<Value> property(Months duration, std::string_view name) {
    if (name == "years") return Decimal(duration.count / 12);
    if (name == "months") return Decimal(duration.count % 12);
    return std::nullopt;
}

// All parts have the sign of the whole.
std::optional<Value> property(Seconds duration, std::string_view name) {
    const bool negative = duration.count < 0;
    const Seconds size = negative ? negated(duration).value_or(duration) : duration;
    const auto part = [&](std::int64_t number) { return Decimal(negative ? -number : number); };
    if (name == "days") return part(size.count / 86'400);
    if (name == "hours") return part(size.count / 3600 % 24);
    if (name == "minutes") return part(size.count / 60 % 60);
    if (name != "seconds") return std::nullopt;
    const Decimal seconds = Seconds{size.count % 60, size.nano}.decimal();
    return negative ? seconds.negated() : seconds;
}

std::optional<Value> property(const RangePointer& range, std::string_view name) {
    if (name == "start") return range->low;
    if (name == "end") return range->high;
    if (name == "start included") return range->low_included;
    if (name == "end included") return range->high_included;
    return std::nullopt;
}

template <class Other>
std::optional<Value> property(const Other&, std::string_view) {
    return std::nullopt;
}

}  // namespace

std::span<const std::string_view> all_properties() {
    static constexpr std::array<std::string_view, 17> names = {
        "year",   "month",       "day",      "weekday",        "hour",        "minute",
        "second", "time offset", "timezone", "years",          "months",      "days",
        "hours",  "minutes",     "seconds",  "start included", "end included"};
    return names;
}

std::optional<Value> property_of(const Value& value, std::string_view name) {
    return std::visit([&](const auto& form) { return property(form, name); }, value.form());
}

}  // namespace holdfast::feel
