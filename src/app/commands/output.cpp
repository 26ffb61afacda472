#include "app/commands/output.h"

#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <sstream>

#include "base/printable.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

// This function and print_table write what a server sent, nothing else does.
void write_line(std::ostream& out, std::string_view line) { out << printable(line) << '\n'; }

// In characters.
std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

bool shows_colors() { return ::isatty(STDOUT_FILENO) && !std::getenv("NO_COLOR"); }

// A status that somebody may have to look at.
std::string in_color(const std::string& cell) {
    const char* color = cell == "failed" || cell == "incident" || cell == "quarantined" ? "31"
                        : cell == "paused" || cell == "retrying" || cell == "cancelled" ? "33"
                        : cell == "succeeded"                                           ? "32"
                                                                                        : nullptr;
    return color ? "\033[" + std::string(color) + "m" + cell + "\033[0m" : cell;
}

void append_indented(std::string& text, const bj::value& value, const std::string& margin) {
    const std::string inner = margin + "  ";
    const char* separator = "\n";
    if (const bj::object* object = value.if_object(); object && !object->empty()) {
        text += '{';
        for (const auto& member : *object) {
            text += std::exchange(separator, ",\n") + inner + bj::serialize(member.key()) + ": ";
            append_indented(text, member.value(), inner);
        }
        text += '\n' + margin + '}';
    } else if (const bj::array* array = value.if_array(); array && !array->empty()) {
        text += '[';
        for (const bj::value& element : *array) {
            text += std::exchange(separator, ",\n") + inner;
            append_indented(text, element, inner);
        }
        text += '\n' + margin + ']';
    } else {
        text += bj::serialize(value);
    }
}

Lines lines_of(std::string text) {
    Lines lines;
    std::istringstream in(std::move(text));
    for (std::string line; std::getline(in, line);) lines.push_back(std::move(line));
    return lines;
}

// A member as text: strings unquoted, empty for null.
std::string shown(const bj::object& object, std::string_view name) {
    const bj::value* value = object.if_contains(name);
    if (!value || value->is_null()) return {};
    return value->is_string() ? std::string(value->get_string()) : bj::serialize(*value);
}

std::string advice_for(const client::Failure& failure) {
    using client::FailureKind;
    switch (failure.kind) {
        case FailureKind::unauthorized:
            return failure.status == 401 ? "--token-file names the file with the server's token"
                                         : "";
        case FailureKind::not_found:
            return failure.message.find("no workflow") == std::string::npos
                       ? ""
                       : "'holdfast list' lists the workflows";
        case FailureKind::overloaded: return "nothing was changed, retry shortly";
        case FailureKind::unavailable:
            return failure.status ? "nothing was changed, retry shortly"
                                  : "start a server with 'holdfast serve', or set its address with "
                                    "--server or HOLDFAST_SERVER";
        case FailureKind::outcome_unknown:
            return "the change may have been made; check with 'holdfast show' before you retry";
        default: return {};
    }
}

void list_violations(const bj::object& problem) {
    const bj::value* violations = problem.if_contains("violations");
    if (!violations || !violations->is_array()) return;
    for (const bj::value& violation : violations->get_array())
        if (const bj::object* one = violation.if_object())
            print_error("  " + shown(*one, "path") + ": " + shown(*one, "message"));
}

}  // namespace

// JSON has no line ends inside of its strings: those in the text are its layout.
Lines indented(const bj::value& value, std::string label) {
    append_indented(label, value, "");
    return lines_of(std::move(label));
}

void print_text(const std::string& text) { print_lines(lines_of(text)); }

void print(Format format, const bj::value& value) {
    print_lines(format == Format::jsonl ? Lines{bj::serialize(value)} : indented(value));
}

void print_line(std::string_view line) { write_line(std::cout, line); }

void print_lines(const Lines& lines) {
    for (const std::string& line : lines) print_line(line);
}

void print_error(std::string_view line) { write_line(std::cerr, line); }

void print_table(const Table& table, Header header) {
    if (table.rows.empty()) return;
    std::vector<std::vector<std::string>> rows;
    if (header == Header::shown) rows.push_back(table.header);
    rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    std::vector<std::size_t> widths(table.header.size());
    for (auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            row[i] = printable(row[i]);
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    const bool colored = shows_colors();
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += colored ? in_color(row[i]) : row[i];
            if (i + 1 < row.size()) line.append(widths[i] - width_of(row[i]) + 2, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        std::cout << line << '\n';
    }
}

ExitCode report(const Error& error) {
    print_error("holdfast: " + error.message);
    return exit_code_of(error.code);
}

ExitCode report(const client::Failure& failure) {
    const std::string advice = advice_for(failure);
    print_error("holdfast: " + failure.message + (advice.empty() ? "" : "; " + advice));
    list_violations(failure.problem);
    if (failure.status) return exit_code_of_status(failure.status);
    return failure.kind == client::FailureKind::invalid ? ExitCode::usage : ExitCode::failed;
}

ExitCode report(const client::Conflict& conflict, Format format) {
    const std::string version = std::to_string(conflict.current_version);
    const char* otherwise = conflict.paths.empty()
                                ? ", or let the server merge with --on-conflict merge"
                                : ", or overwrite what both changed with --on-conflict client-wins";
    print_error("holdfast: conflict: the workflow is now at version " + version +
                "; apply your change to the current state and retry with --if-match " + version +
                otherwise);
    for (const std::string& path : conflict.paths) print_error("  changed by both: " + path);
    if (format == Format::text) {
        for (const std::string& line : indented(conflict.current_state, "current state "))
            print_error(line);
        return ExitCode::conflict;
    }
    bj::array paths;
    for (const std::string& path : conflict.paths) paths.emplace_back(path);
    print(format, bj::object{{"error", "conflict"},
                             {"currentVersion", conflict.current_version},
                             {"currentState", conflict.current_state},
                             {"currentStateMetadata", conflict.current_state_metadata},
                             {"resolution", conflict.resolution},
                             {"paths", std::move(paths)}});
    return ExitCode::conflict;
}

}  // namespace holdfast::app
