#include "model/limits.h"

#include <array>
#include <charconv>
#include <utility>

#include "base/json/contains.h"
#include "base/time/duration.h"

namespace holdfast {
namespace {

namespace bj = boost::json;
using std::chrono::microseconds;

constexpr std::string_view business_key_name = "businessKey";
constexpr microseconds longest_period = std::chrono::days(366);

constexpr const char* rate_rule =
    "'rate' must say how many may start in which time, at most 1000000 in at most 366 days, and "
    "not more than one a microsecond: \"100/1m\", \"5/s\"";
constexpr const char* key_rule =
    "'key' must be businessKey, or the path of a text, a number or a boolean in the state or the "
    "arguments: \"state.customer.id\", \"arguments.0\"";

std::optional<std::uint32_t> whole(std::string_view text, std::uint32_t most) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > most)
        return std::nullopt;
    return number;
}

// "1m", or a unit alone.
std::optional<microseconds> period(std::string_view text) {
    if (auto time = parse_duration(text)) return time;
    return parse_duration("1" + std::string(text));
}

std::optional<Rate> parse_rate(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == text.npos) return std::nullopt;
    const auto starts = whole(text.substr(0, slash), most_starts);
    const auto per = period(text.substr(slash + 1));
    if (!starts || !per || *per <= microseconds(0) || *per > longest_period) return std::nullopt;
    const Rate rate{.starts = *starts, .per = *per};
    if (rate.pause() < microseconds(1)) return std::nullopt;
    return rate;
}

// In the largest unit that needs no fraction.
std::string period_text(microseconds time) {
    using namespace std::chrono;
    constexpr std::array<std::pair<microseconds, const char*>, 5> units{{{days(1), "d"},
                                                                         {hours(1), "h"},
                                                                         {minutes(1), "m"},
                                                                         {seconds(1), "s"},
                                                                         {milliseconds(1), "ms"}}};
    for (const auto& [unit, name] : units)
        if (time % unit == microseconds(0)) return std::to_string(time / unit) + name;
    const std::string fraction = std::to_string(1'000'000 + time.count() % 1'000'000);
    return std::to_string(time.count() / 1'000'000) + "." + fraction.substr(1) + "s";
}

bool is_absent(const bj::object& object, const char* name) {
    const bj::value* value = object.if_contains(name);
    return !value || value->is_null();
}

Result<std::optional<std::uint32_t>> read_count(const bj::object& object, const char* name,
                                                std::uint32_t most) {
    if (is_absent(object, name)) return std::nullopt;
    const bj::value& value = object.at(name);
    boost::system::error_code error;
    const auto number = value.to_number<std::uint64_t>(error);
    if (error || number == 0 || number > most)
        return fail(
            ErrorCode::invalid_argument,
            "'" + std::string(name) + "' must be a whole number from 1 to " + std::to_string(most));
    return static_cast<std::uint32_t>(number);
}

Result<std::string> read_key(const bj::object& object) {
    if (is_absent(object, "key")) return std::string();
    const bj::value& value = object.at("key");
    if (!value.is_string()) return fail(ErrorCode::invalid_argument, key_rule);
    std::string text(value.get_string());
    if (text == business_key_name) return text;
    const auto path = json::parse_path(text);
    const bool is_known = path && path->segments.size() > 1 &&
                          (path->segments[0] == "state" || path->segments[0] == "arguments");
    if (!is_known) return fail(ErrorCode::invalid_argument, key_rule);
    return text;
}

}  // namespace

Result<Limits> read_limits(const bj::object& object) {
    for (const auto& member : object)
        if (member.key() != "concurrency" && member.key() != "rate" && member.key() != "burst" &&
            member.key() != "key")
            return fail(ErrorCode::invalid_argument,
                        "'limits' has no member '" + std::string(member.key()) +
                            "'; it knows concurrency, rate, burst and key");
    Limits limits;
    HF_TRY(limits.concurrency, read_count(object, "concurrency", most_concurrent));
    HF_TRY(const auto burst, read_count(object, "burst", most_starts));
    HF_TRY(limits.key, read_key(object));
    if (!is_absent(object, "rate")) {
        const bj::value& text = object.at("rate");
        limits.rate = text.is_string() ? parse_rate(text.get_string()) : std::nullopt;
        if (!limits.rate) return fail(ErrorCode::invalid_argument, rate_rule);
        limits.rate->burst = burst.value_or(1);
    } else if (burst) {
        return fail(ErrorCode::invalid_argument, "'burst' belongs to a 'rate'");
    }
    if (!limits.key.empty() && !limits.is_set())
        return fail(ErrorCode::invalid_argument,
                    "'key' says by what a limit counts: give a 'concurrency' or a 'rate' too");
    return limits;
}

bj::object to_json(const Limits& limits) {
    bj::object object;
    if (limits.concurrency) object["concurrency"] = *limits.concurrency;
    if (limits.rate) {
        object["rate"] = std::to_string(limits.rate->starts) + "/" + period_text(limits.rate->per);
        if (limits.rate->burst > 1) object["burst"] = limits.rate->burst;
    }
    if (!limits.key.empty()) object["key"] = limits.key;
    return object;
}

std::string limit_key_of(const Limits& limits, std::string_view business_key,
                         const json::Document& state, const json::Document& arguments) {
    if (limits.key.empty()) return {};
    if (limits.key == business_key_name) return std::string(business_key);
    auto path = json::parse_path(limits.key);
    HF_ASSERT(path && path->segments.size() > 1, "read_limits has checked the path");
    const bool in_state = path->segments.front() == "state";
    path->segments.erase(path->segments.begin());
    const auto text = json::text_at(in_state ? state.value() : arguments.value(), *path);
    return text.value_or("");
}

}  // namespace holdfast
