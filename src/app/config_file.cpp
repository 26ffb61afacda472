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

std::string without_password(std::string url) {
    const std::size_t scheme = url.find("://");
    const std::size_t at = url.find('@');
    if (scheme == std::string::npos || at == std::string::npos) return url;
    const std::size_t colon = url.find(':', scheme + 3);
    if (colon < at) url.replace(colon + 1, at - colon - 1, "***");
    return url;
}

// A TOML value: numbers and flags bare, the rest quoted.
std::string toml_value(const std::vector<std::string>& values) {
    const auto one = [](const std::string& value) {
        const bool number = !value.empty() &&
                            std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
        if (number || value == "true" || value == "false") return value;
        return json::canonical(boost::json::value(without_password(value)));
    };
    if (values.size() == 1) return one(values.front());
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + one(value);
    return "[" + list + "]";
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

std::vector<std::string> effective_settings(const CLI::App& command,
                                            const std::vector<std::string>& from_file) {
    std::vector<std::string> lines;
    for (const std::string& key : keys_of(command)) {
        std::string line = key;
        const CLI::Option* option = command.get_option("--" + key);
        const bool by_flag = contains(command.parse_order(), option);
        std::vector<std::string> values = option->results();
        std::string source = "default";
        if (by_flag)
            source = "--" + key;
        else if (contains(from_file, key))
            source = "file";
        else if (!values.empty())
            source = option->get_envname();
        if (values.empty() && is_flag(*option)) values = {"false"};
        if (values.empty()) values = {option->get_default_str()};
        if (is_flag(*option) && source != "default") values = {"true"};
        if (values.front().empty())
            line.insert(0, "# ").append(" is not set");
        else if (source == "default" && values.front().starts_with("--"))  // that of another flag
            line.insert(0, "# ").append(" is as ").append(values.front(), 2);
        else
            line.append(" = ").append(toml_value(values)).append("  # ").append(source);
        lines.push_back(std::move(line));
    }
    return lines;
}

}  // namespace holdfast::app
