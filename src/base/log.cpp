#include "base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <atomic>
#include <boost/json/serialize.hpp>
#include <chrono>

#include "base/printable.h"
#include "base/time/moment.h"

namespace holdfast::log {
namespace {

// spdlog does the locking and the timestamp; write() formats the line.
spdlog::logger& logger() {
    static const auto instance = [] {
        auto made = std::make_shared<spdlog::logger>(
            "holdfast", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made->set_formatter(std::make_unique<spdlog::pattern_formatter>(
            "%Y-%m-%dT%H:%M:%S.%fZ %v", spdlog::pattern_time_type::utc));
        return made;
    }();
    return *instance;
}

// Leaves room for the time, the level and the note.
constexpr std::size_t longest_text = longest_line - 192;

// Cut between two characters.
void shorten(std::string& line) {
    if (line.size() <= longest_text) return;
    std::size_t kept = longest_text;
    while ((static_cast<unsigned char>(line[kept]) & 0xc0U) == 0x80U) --kept;
    const std::size_t missing = line.size() - kept;
    line.resize(kept);
    line += "... (" + std::to_string(missing) + " more bytes)";
}

constexpr std::string_view level_names[] = {"debug", "info", "warn", "error", "off"};
constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info,
                                                spdlog::level::warn, spdlog::level::err,
                                                spdlog::level::off};

std::atomic<Format>& chosen_format() {
    static std::atomic<Format> format{Format::text};
    return format;
}

std::string text_line(Level level, std::string_view event, const Fields& fields) {
    std::string line(event);
    for (const auto& field : fields) {
        line += ' ';
        line += field.key();
        line += '=';
        line += boost::json::serialize(field.value());
    }
    line = printable(line);
    shorten(line);
    return std::string(level_names[static_cast<std::size_t>(level)]) + ' ' + line;
}

std::string now_text() {
    return to_iso8601(
        std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now()));
}

void write(Level level, std::string_view event, const Fields& fields) {
    const auto as_known = levels[static_cast<std::size_t>(level)];
    if (!logger().should_log(as_known)) return;
    const bool is_json = chosen_format() == Format::json;
    logger().log(
        as_known, "{}",
        is_json ? json_line(now_text(), level, event, fields) : text_line(level, event, fields));
}

// A string that is too long for a line, or a value whose JSON is.
boost::json::value fitting(const boost::json::value& value, std::size_t room) {
    std::string text =
        value.is_string() ? std::string(value.get_string()) : boost::json::serialize(value);
    if (text.size() <= room) return value;
    std::size_t kept = room;
    while (kept > 0 && (static_cast<unsigned char>(text[kept]) & 0xc0U) == 0x80U) --kept;
    const std::size_t missing = text.size() - kept;
    text.resize(kept);
    return boost::json::value(text + "... (" + std::to_string(missing) + " more bytes)");
}

}  // namespace

std::string json_line(std::string_view time, Level level, std::string_view event,
                      const Fields& fields) {
    boost::json::object line{
        {"time", time}, {"level", level_names[static_cast<std::size_t>(level)]}, {"event", event}};
    for (const auto& field : fields)
        line.emplace(line.contains(field.key()) ? "field." + std::string(field.key())
                                                : std::string(field.key()),
                     field.value());
    std::string text = boost::json::serialize(line);
    if (text.size() <= longest_line) return printable(text);
    // JSON escapes a byte as six at most.
    const std::size_t room = (longest_line - 512) / 6 / std::max<std::size_t>(1, fields.size());
    for (auto& member : line) member.value() = fitting(member.value(), room);
    return printable(boost::json::serialize(line));
}

std::optional<Format> parse_format(std::string_view name) {
    if (name == "text") return Format::text;
    if (name == "json") return Format::json;
    return std::nullopt;
}

void set_format(Format format) {
    chosen_format() = format;
    if (format == Format::json)
        logger().set_pattern("%v");
    else
        logger().set_formatter(std::make_unique<spdlog::pattern_formatter>(
            "%Y-%m-%dT%H:%M:%S.%fZ %v", spdlog::pattern_time_type::utc));
}

std::optional<Level> parse_level(std::string_view name) {
    for (std::size_t i = 0; i < std::size(level_names); ++i)
        if (level_names[i] == name) return static_cast<Level>(i);
    return std::nullopt;
}

void set_level(Level level) { logger().set_level(levels[static_cast<std::size_t>(level)]); }

void debug(std::string_view event, const Fields& fields) { write(Level::debug, event, fields); }
void info(std::string_view event, const Fields& fields) { write(Level::info, event, fields); }
void warn(std::string_view event, const Fields& fields) { write(Level::warn, event, fields); }
void error(std::string_view event, const Fields& fields) { write(Level::error, event, fields); }

}  // namespace holdfast::log
