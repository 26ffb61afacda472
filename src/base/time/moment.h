// Points in time with microsecond precision, UTC, and their ISO 8601 text.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

using Moment = std::chrono::sys_time<std::chrono::microseconds>;

// "2026-01-28T10:00:00.000000Z": always UTC, always six digits, so that texts sort like times.
std::string to_iso8601(Moment moment);

// Accepts UTC ("Z") with up to 9 fraction digits; those beyond the sixth are dropped. Absent: not a
// valid time.
std::optional<Moment> parse_iso8601(std::string_view text);

}  // namespace holdfast
