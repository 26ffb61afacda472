#include "base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <boost/json/serialize.hpp>

#include "base/printable.h"

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

void write(spdlog::level::level_enum level, std::string_view event, const Fields& fields) {
    if (!logger().should_log(level)) return;
    std::string line(event);
    for (const auto& field : fields) {
        line += ' ';
        line += field.key();
        line += '=';
        line += boost::json::serialize(field.value());
    }
    line = printable(line);
    shorten(line);
    const char* name =
        level == spdlog::level::warn ? "warn" : spdlog::level::to_string_view(level).data();
    logger().log(level, "{} {}", name, line);
}

}  // namespace

std::optional<Level> parse_level(std::string_view name) {
    static constexpr std::string_view names[] = {"debug", "info", "warn", "error", "off"};
    for (std::size_t i = 0; i < std::size(names); ++i)
        if (names[i] == name) return static_cast<Level>(i);
    return std::nullopt;
}

void set_level(Level level) {
    static constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug,
                                                           spdlog::level::info, spdlog::level::warn,
                                                           spdlog::level::err, spdlog::level::off};
    logger().set_level(levels[static_cast<std::size_t>(level)]);
}

void debug(std::string_view event, const Fields& fields) {
    write(spdlog::level::debug, event, fields);
}
void info(std::string_view event, const Fields& fields) {
    write(spdlog::level::info, event, fields);
}
void warn(std::string_view event, const Fields& fields) {
    write(spdlog::level::warn, event, fields);
}
void error(std::string_view event, const Fields& fields) {
    write(spdlog::level::err, event, fields);
}

}  // namespace holdfast::log
