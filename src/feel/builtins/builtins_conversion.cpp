#include "base/assert.h"
#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"
#include "feel/values/range_text.h"
#include "feel/values/show.h"

namespace holdfast::feel {
namespace {

// Writing is slower than reading: one step for every 8 bytes.
Value to_string(Call& call) {
    if (call[0].is_null()) return Null{};
    Meter& meter = call.meter();
    const bool few_steps = meter.steps_left() < meter.memory_left() / 8;
    const auto text =
        shown_within(call[0], few_steps ? meter.steps_left() * 8 : meter.memory_left());
    if (!text) meter.stop(few_steps ? Trouble::Kind::steps : Trouble::Kind::memory);
    if (!text || !meter.step(text->size() / 8)) return Null{};
    return call.make(*text);
}

Value parsed_number(Call& call, std::string_view text) {
    const auto number = Decimal::parse(text);
    if (!number) return call.fail({"'", text.substr(0, 80), "' is not a number"});
    return *number;
}

Value number_plain(Call& call) {
    if (const auto* number = call[0].get<Decimal>()) return *number;
    const auto* text = call[0].get<Text>();
    if (!text) return call.fail("number() needs a string");
    return parsed_number(call, text->view());
}

// Removes the grouping separators and replaces the decimal separator with a point.
Value number_with_separators(Call& call) {
    const std::string_view grouping = call.has(1) ? call.text(1) : "";
    const std::string_view decimal = call.has(2) ? call.text(2) : ".";
    if (call.has(1) && grouping != " " && grouping != "," && grouping != ".")
        return call.fail("the grouping separator must be a space, a comma or a point");
    if (decimal != "," && decimal != ".")
        return call.fail("the decimal separator must be a comma or a point");
    if (grouping == decimal) return call.fail("the separators must differ");
    if (!call.meter().read(call.text(0).size())) return Null{};
    std::string text;
    for (const char c : call.text(0)) {
        if (!grouping.empty() && c == grouping[0]) continue;
        if (c == '.' && decimal != ".") return call.fail("unexpected '.' in the number");
        text += c == decimal[0] ? '.' : c;
    }
    return parsed_number(call, text);
}

Value not_a(Call& call, std::string_view what, std::string_view otherwise = {}) {
    const auto* text = call[0].get<Text>();
    if (!text) return call.fail({"cannot convert a ", name_of(call[0].kind()), " to ", what});
    return call.fail({"'", text->view().substr(0, 80), "' is not ", what, otherwise});
}

Value date_from(Call& call) {
    if (const auto* date = call[0].get<Date>()) return *date;
    if (const auto* moment = call[0].get<DateTime>()) return moment->date;
    const auto* text = call[0].get<Text>();
    const auto date = text ? parse_date(text->view()) : std::nullopt;
    if (!date) return not_a(call, "a date");
    return *date;
}

Value date_of_parts(Call& call) {
    const auto year = call.number(0).whole();
    const auto month = call.number(1).whole();
    const auto day = call.number(2).whole();
    const auto date = year && month && day ? Date::of(*year, *month, *day) : std::nullopt;
    if (!date) return call.fail("not a valid date");
    return *date;
}

Value time_from(Call& call) {
    if (const auto* time = call[0].get<Time>()) return *time;
    if (const auto* moment = call[0].get<DateTime>()) return moment->time;
    if (const auto* date = call[0].get<Date>()) return midnight(*date).time;
    const auto* text = call[0].get<Text>();
    auto time = text ? parse_time(text->view(), call.zones()) : std::nullopt;
    if (!time) return not_a(call, "a time", ", or names an unknown time zone");
    return *std::move(time);
}

Value time_of_parts(Call& call) {
    const auto hour = call.number(0).whole();
    const auto minute = call.number(1).whole();
    const auto second = Seconds::of(call.number(2));
    const bool fits = hour && minute && second && *hour >= 0 && *hour < 24 && *minute >= 0 &&
                      *minute < 60 && second->count >= 0 && second->count < 60;
    if (!fits) return call.fail("not a valid time of day");
    Time time{
        static_cast<std::int32_t>(*hour * 3600 + *minute * 60 + second->count), second->nano, {}};
    if (!call.has(3)) return time;
    const Seconds offset = *call[3].get<Seconds>();
    if (offset.nano != 0 || offset.count > 18 * 3600 || offset.count < -18 * 3600)
        return call.fail("the offset must be whole seconds, at most 18 hours");
    time.place = Place::at(static_cast<std::int32_t>(offset.count));
    return time;
}

Value date_time_from(Call& call) {
    if (const auto* moment = call[0].get<DateTime>()) return *moment;
    if (const auto* date = call[0].get<Date>()) return midnight(*date);
    const auto* text = call[0].get<Text>();
    if (text) {
        if (auto moment = parse_date_time(text->view(), call.zones())) return *std::move(moment);
        if (const auto date = parse_date(text->view())) return DateTime{*date, {}};
    }
    return not_a(call, "a date and time", ", or names an unknown time zone");
}

Value date_time_of_parts(Call& call) {
    const auto* time = call[1].get<Time>();
    if (!time) return call.fail("'time' must be a time");
    if (const auto* date = call[0].get<Date>()) return DateTime{*date, *time};
    const auto* moment = call[0].get<DateTime>();
    HF_ASSERT(moment, "the parameter admits dates and date-times only");
    return DateTime{moment->date, *time};
}

Value duration_from(Call& call) {
    if (call[0].get<Months>() || call[0].get<Seconds>()) return call[0];
    const auto* text = call[0].get<Text>();
    if (text) {
        if (const auto months = parse_months(text->view())) return *months;
        if (const auto seconds = parse_seconds(text->view())) return *seconds;
    }
    return not_a(call, "a duration");
}

Value range_from(Call& call) { return range_of_text(call.text(0), call.evaluator()); }

constexpr Parameter from = {"from", Want::value};

constexpr Builtin conversion_rows[] = {
    {"string", {{"from"}}, to_string, "As text, in FEEL notation", "string(@\"P1D\")"},
    {"number", {from}, number_plain, "Parses a number", "number(\"12.5\")"},
    {"number",
     {{"from", Want::string},
      {"grouping separator", Want::string, Given::maybe},
      {"decimal separator", Want::string, Given::maybe}},
     number_with_separators,
     "The same with other separators",
     "number(\"1.000,5\", \".\", \",\")"},
    {"date",
     {from},
     date_from,
     "Parses a date, or takes the date of a date and time",
     "date(\"2024-02-29\")"},
    {"date",
     {{"year", Want::number}, {"month", Want::number}, {"day", Want::number}},
     date_of_parts,
     "The date from year, month and day",
     "date(2024, 2, 29)"},
    {"time",
     {from},
     time_from,
     "Parses a time, or takes the time of a date and time",
     "time(\"10:30:00@Europe/Paris\")"},
    {"time",
     {{"hour", Want::number},
      {"minute", Want::number},
      {"second", Want::number},
      {"offset", Want::duration, Given::maybe}},
     time_of_parts,
     "The time from its parts; local without an offset",
     "time(23, 59, 1.5, @\"PT2H\")"},
    {"date and time",
     {from},
     date_time_from,
     "Parses a date and time",
     "date and time(\"2024-02-29T10:00:00Z\")"},
    {"date and time",
     {{"date", Want::date_or_time}, {"time", Want::value}},
     date_time_of_parts,
     "Combines a date and a time",
     "date and time(@\"2024-02-29\", @\"10:00:00\")"},
    {"duration", {from}, duration_from, "Parses a duration", "duration(\"P1DT2H\")"},
    {"range",
     {{"from", Want::string}},
     range_from,
     "Parses a range; its ends are literals",
     "range(\"[1..10)\")"},
};

}  // namespace

std::span<const Builtin> conversion_builtins() { return conversion_rows; }

}  // namespace holdfast::feel
