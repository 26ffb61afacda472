#include "base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <boost/json/serialize.hpp>

namespace holdfast::log {
namespace {

// spdlog does the locking and the timestamp; write() formats the line.
spdlog::logger& logger() {
    static const auto instance = [] {
        auto made = std::make_shared<spdlog::logger>(
            "holdfast", std::make_shared<spdlog::sinks::stderr_sink_mt>());
        made->set_formatter(std::make_unique<spdlog::pattern_formatter>(
            "%Y-%m-%dT%H:%M:%S.%fZ %l %v", spdlog::pattern_time_type::utc));
        return made;
    }();
    return *instance;
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
    logger().log(level, "{}", line);
}

}  // namespace

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
