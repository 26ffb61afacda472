// One structured line per event on standard error: time, level, a stable event name, then key=value
// pairs. No line has a control character or more than `longest_line` bytes.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast::log {

using Fields = boost::json::object;

// A longer line is cut and says how much is missing.
constexpr std::size_t longest_line = 8 * 1024;

enum class Level { debug, info, warn, error, off };

// Absent: not one of debug, info, warn, error and off.
std::optional<Level> parse_level(std::string_view name);

// Lines below it are dropped. Info by default.
void set_level(Level level);

// Text by default. JSON: an object a line, with `time`, `level`, `event` and the fields.
enum class Format { text, json };

std::optional<Format> parse_format(std::string_view name);
void set_format(Format format);

// The line of an event in JSON, without its end; of a field that would make it too long only the
// beginning.
std::string json_line(std::string_view time, Level level, std::string_view event,
                      const Fields& fields);

void debug(std::string_view event, const Fields& fields = {});
void info(std::string_view event, const Fields& fields = {});
void warn(std::string_view event, const Fields& fields = {});
void error(std::string_view event, const Fields& fields = {});

}  // namespace holdfast::log
