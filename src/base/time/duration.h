// Parses durations: ISO 8601 (`PT1H30M`) or with units (`10s`, `1h30m`).
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace holdfast {

// Weeks, days, hours, minutes, seconds, each at most once and in that order, any of them with a
// fraction; with units also `ms`. No sign, and no years or months, whose length varies. Absent: not
// a duration, or more than a century.
std::optional<std::chrono::microseconds> parse_duration(std::string_view text);

}  // namespace holdfast
