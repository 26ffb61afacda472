#include "app/config_file.h"

#include <toml++/toml.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "app/commands/completion.h"
#include "base/json/canonical.h"

namespace holdfast::app {
namespace {

std::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::invalid_argument, std::move(message));
}

bool contains(const auto& list, const auto& item) {
    return std::ranges::find(list, item) != list.end();
}

std::unexpected<Error> unknown_setting(const std::string& place, const std::string& key,
                                       const std::string& near) {
    const std::string advice =
        near.empty() ? "'holdfast help serve' lists them" : "did you mean '" + near + "'?";
    return refuse(place + ": there is no setting '" + key + "'; " + advice);
}

// Long names of what a file can set.
std::vector<std::string> keys_of(const CLI::App& command) {
    std::vector<std::string> keys;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            if (name != "help" && name != "config") keys.push_back(name);
    return keys;
}

std::string place_of(const std::string& path, const toml::source_region& source) {
    return path + ", line " + std::to_string(source.begin.line);
}

// As it would be on the command line. Absent: a table, a date or a number that is not whole.
std::optional<std::string> argument_of(const toml::node& value) {
    if (const auto* text = value.as_string()) return text->get();
    if (const auto* number = value.as_integer()) return std::to_string(number->get());
    if (const auto* flag = value.as_boolean()) return flag->get() ? "true" : "false";
    return std::nullopt;
}

std::optional<std::vector<std::string>> arguments_of(const toml::node& value) {
    std::vector<std::string> texts;
    if (const toml::array* list = value.as_array()) {
        for (const toml::node& item : *list) {
            const auto text = argument_of(item);
            if (!text) return std::nullopt;
            texts.push_back(*text);
        }
        return texts;
    }
    const auto text = argument_of(value);
    if (!text) return std::nullopt;
    return std::vector{*text};
}

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

Result<void> set_option(CLI::Option& option, const std::string& key, const toml::node& value,
                        const std::string& place) {
    const auto texts = arguments_of(value);
    if (!texts) return refuse(place + ": '" + key + "' takes a text, a whole number or a list");
    if (is_flag(option) && *texts == std::vector<std::string>{"false"}) return {};
    if (is_flag(option) && *texts != std::vector<std::string>{"true"})
        return refuse(place + ": '" + key + "' is true or false");
    for (const std::string& text : *texts) option.add_result(text);
    try {
        option.run_callback();
    } catch (const CLI::Error& error) {
        return refuse(place + ": " + error.what());
    }
    return {};
}

Result<toml::table> parse_config(const std::string& path) {
    std::error_code unknown;  // what cannot be looked at cannot be opened either
    if (std::filesystem::is_directory(path, unknown)) return refuse(path + " is a folder");
    try {
        return toml::parse_file(path);
    } catch (const toml::parse_error& error) {
        return refuse(place_of(path, error.source()) + ": " + std::string(error.description()));
    }
}

// Hides what stands between `begin` and `end`, if anything does.
void hide(std::string& text, std::size_t begin, std::size_t end) {
    if (begin < end) text.replace(begin, end - begin, "***");
}

// A URL as it may be shown. Too much is hidden rather than too little: a password may have
// characters that should have been escaped.
std::string without_password(std::string url) {
    const std::size_t scheme = url.find("://");
    if (scheme == std::string::npos) return url;
    for (const std::string_view name : {"password=", "sslpassword="})
        for (const char before : {'?', '&'}) {
            const std::size_t at = url.find(before + std::string(name));
            if (at == std::string::npos) continue;
            const std::size_t begin = at + 1 + name.size();
            hide(url, begin, std::min(url.find('&', begin), url.size()));
        }
    const std::size_t at = url.rfind('@', url.find('?'));
    const std::size_t colon = url.find(':', scheme + 3);
    if (at != std::string::npos && colon < at) hide(url, colon + 1, at);
    return url;
}

// A TOML value: numbers and flags bare, the rest quoted.
std::string toml_value(const std::vector<std::string>& values) {
    const auto one = [](const std::string& value) {
        const bool number = !value.empty() &&
                            std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
        if (number || value == "true" || value == "false") return value;
        return json::canonical(boost::json::value(value));
    };
    if (values.size() == 1) return one(values.front());
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + one(value);
    return "[" + list + "]";
}

std::string origin_of(const http::Setting& setting) {
    switch (setting.source) {
        case http::Setting::Source::flag: return "--" + setting.name;
        case http::Setting::Source::environment: return setting.variable;
        default: return std::string(name_of(setting.source));
    }
}

}  // namespace

Result<std::vector<std::string>> apply_config(CLI::App& command, const std::string& path) {
    std::vector<std::string> set_by_file;
    if (path.empty()) return set_by_file;
    HF_TRY(const toml::table file, parse_config(path));
    const std::vector<std::string> keys = keys_of(command);
    for (const auto& [name, value] : file) {
        const std::string key(name.str());
        const std::string place = place_of(path, name.source());
        if (!contains(keys, key)) return unknown_setting(place, key, nearest(keys, key));
        CLI::Option& option = *command.get_option("--" + key);
        if (option.count() > 0) continue;  // the command line and the environment win
        HF_CHECK(set_option(option, key, value, place));
        set_by_file.push_back(key);
    }
    return set_by_file;
}

std::vector<http::Setting> settings_of(const CLI::App& command,
                                       const std::vector<std::string>& from_file) {
    using Source = http::Setting::Source;
    std::vector<http::Setting> settings;
    for (const std::string& key : keys_of(command)) {
        const CLI::Option* option = command.get_option("--" + key);
        http::Setting setting{.name = key,
                              .text = option->get_description(),
                              .variable = option->get_envname(),
                              .values = option->results()};
        if (contains(command.parse_order(), option))
            setting.source = Source::flag;
        else if (contains(from_file, key))
            setting.source = Source::file;
        else if (!setting.values.empty())
            setting.source = Source::environment;
        const std::string standard = option->get_default_str();
        if (is_flag(*option))
            setting.values = {setting.source == Source::standard ? "false" : "true"};
        else if (setting.values.empty() && standard.starts_with("--"))  // that of another flag
            setting.same_as = standard.substr(2);
        else if (setting.values.empty() && !standard.empty())
            setting.values = {standard};
        std::ranges::transform(setting.values, setting.values.begin(), without_password);
        settings.push_back(std::move(setting));
    }
    return settings;
}

std::vector<std::string> as_toml(const std::vector<http::Setting>& settings) {
    std::vector<std::string> lines;
    for (const http::Setting& setting : settings) {
        if (!setting.same_as.empty())
            lines.push_back("# " + setting.name + " is as " + setting.same_as);
        else if (setting.values.empty() || setting.values.front().empty())
            lines.push_back("# " + setting.name + " is not set");
        else
            lines.push_back(setting.name + " = " + toml_value(setting.values) + "  # " +
                            origin_of(setting));
    }
    return lines;
}

}  // namespace holdfast::app
