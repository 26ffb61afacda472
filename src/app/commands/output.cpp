#include "app/commands/output.h"

#include <algorithm>
#include <boost/json.hpp>
#include <iostream>
#include <iterator>
#include <sstream>

#include "base/printable.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

// The only function that writes what a server sent.
void write_line(std::ostream& out, std::string_view line) { out << printable(line) << '\n'; }

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

std::string business_text(const bj::object& instance) {
    const bj::value* business = instance.if_contains("businessReference");
    if (!business || !business->is_object()) return {};
    std::string text = shown(business->get_object(), "key");
    const bj::value* parts = business->get_object().if_contains("parts");
    if (!parts || !parts->is_object()) return text;
    for (const auto& part : parts->get_object())
        text += (text.empty() ? "" : " ") + std::string(part.key()) + "=" +
                shown(parts->get_object(), part.key());
    return text;
}

// The task of "task/ID".
std::string id_in(const bj::value& name) {
    const std::string text =
        name.is_string() ? std::string(name.get_string()) : bj::serialize(name);
    return text.substr(text.rfind('/') + 1);
}

// "paid or approved"
std::string joined(const bj::value* names, bool any) {
    std::string text;
    if (!any) return text;
    for (const bj::value& name : names->get_array())
        text += (text.empty() ? "" : " or ") +
                (name.is_string() ? std::string(name.get_string()) : bj::serialize(name));
    return text;
}

// "event paid or approved, until 2030-01-01T08:00:00Z, since ..."
std::string wait_text(const bj::object& wait) {
    std::string text;
    const auto add = [&](const std::string& before, const std::string& value) {
        if (!value.empty() && value != "[]") text += (text.empty() ? "" : ", ") + before + value;
    };
    const std::string awaited = shown(wait, "kind");
    const bj::value* names = wait.if_contains("names");
    const bool is_named = names && names->is_array() && !names->get_array().empty();
    if (shown(wait, "retry") == "true") add("the next attempt of a step", " ");
    if (awaited == "job" && is_named)
        add("a worker, see 'holdfast jobs'", " ");
    else if (awaited == "task_completion" && is_named)
        add("the task ", id_in(names->get_array().front()));
    else
        add("event ", joined(names, is_named));
    add("workflow ", shown(wait, "workflows"));
    add("until ", shown(wait, "untilUtc"));
    add("since ", shown(wait, "beganAt"));
    return text;
}

// Why a workflow does not move.
template <class Add>
void add_reasons(const bj::object& raw, const Add& add) {
    const bj::value* waits = raw.if_contains("waits");
    for (const bj::value& wait : waits && waits->is_array() ? waits->get_array() : bj::array{})
        if (wait.is_object()) add("waits for", wait_text(wait.get_object()));
    if (shown(raw, "paused") == "true") add("paused", "yes; 'holdfast resume' lets it go on");
    if (shown(raw, "incident") == "true") {
        add("incident", shown(raw, "lastError") + "; the history has its cause");
    } else {
        add("last error", shown(raw, "lastError"));
    }
    add("cancelled", shown(raw, "cancelReason"));
    if (const bj::value* parent = raw.if_contains("parent"); parent && parent->is_object())
        add("parent", shown(parent->get_object(), "id"));
    add("moved by", shown(raw, "lastExecutedBy"));
    add("ended", shown(raw, "completedAt"));
    add("result", shown(raw, "result"));
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

Lines described(const client::Workflow& workflow) {
    const bj::object& raw = workflow.raw;
    Lines lines;
    const auto add = [&](std::string label, const std::string& value) {
        label.resize(12, ' ');
        if (!value.empty()) lines.push_back(label + value);
    };
    add("id", workflow.id);
    add("version", std::to_string(workflow.version));
    add("status", workflow.status);
    add("definition", workflow.definition + " (version " + shown(raw, "definitionVersion") + ")");
    add("business", business_text(raw));
    add("created", shown(raw, "createdAt"));
    add("modified", shown(raw, "lastModifiedAt"));
    add("by", shown(raw, "lastModifiedBy"));
    if (const bj::value* last = raw.if_contains("lastCheckpoint"); last && last->is_object())
        add("checkpoint", shown(last->get_object(), "name"));
    add_reasons(raw, add);
    if (shown(raw, "quarantined") == "true")
        add("quarantined", "yes, the stored state fails its checksum");
    std::ranges::move(indented(workflow.state, "state "), std::back_inserter(lines));
    if (workflow.state_metadata != bj::value(bj::object{}))
        std::ranges::move(indented(workflow.state_metadata, "metadata "),
                          std::back_inserter(lines));
    return lines;
}

std::string summarized(const client::Workflow& workflow) {
    std::string text = workflow.id + "  " + workflow.status + "  v" +
                       std::to_string(workflow.version) + "  " + workflow.definition;
    if (const std::string business = business_text(workflow.raw); !business.empty())
        text += "  " + business;
    return text;
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
