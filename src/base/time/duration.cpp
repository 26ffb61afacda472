#include "base/time/duration.h"

#include <cstdint>
#include <span>

namespace holdfast {
namespace {

using std::chrono::microseconds;

struct Unit {
    std::string_view name;
    std::int64_t length;  // in microseconds
};

constexpr std::int64_t second = 1'000'000;
constexpr Unit human[] = {{"w", 604'800 * second}, {"d", 86'400 * second}, {"h", 3'600 * second},
                          {"m", 60 * second},      {"s", second},          {"ms", 1'000}};
constexpr Unit iso_date[] = {{"W", 604'800 * second}, {"D", 86'400 * second}};
constexpr Unit iso_time[] = {{"H", 3'600 * second}, {"M", 60 * second}, {"S", second}};
constexpr std::int64_t century = 36'525 * (86'400 * second);

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A decimal number, exact to a millionth.
struct Number {
    std::int64_t whole = 0;
    std::int64_t millionths = 0;
};

std::optional<Number> take_number(std::string_view& text) {
    Number number;
    std::size_t at = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) {
        number.whole = number.whole * 10 + (text[at] - '0');
        if (number.whole > century) return std::nullopt;
    }
    if (at == 0) return std::nullopt;
    if (at < text.size() && text[at] == '.') {
        const std::size_t point = at++;
        std::int64_t weight = 100'000;
        for (; at < text.size() && is_digit(text[at]); ++at, weight /= 10)
            number.millionths += weight * (text[at] - '0');
        if (at == point + 1 || at > point + 7) return std::nullopt;
    }
    text.remove_prefix(at);
    return number;
}

// The letters after a number.
std::string_view take_unit(std::string_view& text) {
    std::size_t size = 0;
    while (size < text.size() && !is_digit(text[size]) && text[size] != 'T') ++size;
    const std::string_view unit = text.substr(0, size);
    text.remove_prefix(size);
    return unit;
}

// Adds `3h20m...` up to the end or a 'T'; at least one part. False: not a duration.
bool add_parts(std::string_view& text, std::span<const Unit> units, std::int64_t& total) {
    bool any = false;
    while (!text.empty() && text.front() != 'T') {
        const auto number = take_number(text);
        const std::string_view name = take_unit(text);
        while (!units.empty() && units.front().name != name) units = units.subspan(1);
        if (!number || units.empty() || number->whole > century / units.front().length)
            return false;
        total += number->whole * units.front().length +
                 number->millionths * (units.front().length / 1'000) / 1'000;
        if (total > century) return false;
        units = units.subspan(1);
        any = true;
    }
    return any;
}

std::optional<microseconds> parse_iso(std::string_view text) {
    std::int64_t total = 0;
    text.remove_prefix(1);
    if (!text.starts_with('T') && !add_parts(text, iso_date, total)) return std::nullopt;
    if (text.empty()) return microseconds{total};
    text.remove_prefix(1);
    if (!add_parts(text, iso_time, total) || !text.empty()) return std::nullopt;
    return microseconds{total};
}

}  // namespace

std::optional<microseconds> parse_duration(std::string_view text) {
    if (text.starts_with('P')) return parse_iso(text);
    std::int64_t total = 0;
    if (!add_parts(text, human, total) || !text.empty()) return std::nullopt;
    return microseconds{total};
}

}  // namespace holdfast
