#include "app/commands/workflow_text.h"

#include <algorithm>
#include <boost/json.hpp>
#include <iterator>

#include "app/commands/server_calls.h"

namespace holdfast::app {
namespace {

namespace bj = boost::json;

const bj::object& object_in(const bj::object& object, std::string_view name) {
    static const bj::object nothing;
    const bj::value* value = object.if_contains(name);
    return value && value->is_object() ? value->get_object() : nothing;
}

const bj::array& list_in(const bj::object& object, std::string_view name) {
    static const bj::array nothing;
    const bj::value* value = object.if_contains(name);
    return value && value->is_array() ? value->get_array() : nothing;
}

bool is_set(const bj::object& object, std::string_view name) {
    return text_of(object, name) == "true";
}

std::string with_age(const std::string& time, Moment now) {
    const std::string age = age_of(time, now);
    return age.empty() ? time : time + " (" + age + ")";
}

std::string business_text(const bj::object& workflow) {
    const bj::object& business = object_in(workflow, "businessReference");
    std::string text = text_of(business, "key");
    const bj::object& parts = object_in(business, "parts");
    for (const auto& part : parts)
        text +=
            (text.empty() ? "" : " ") + std::string(part.key()) + "=" + text_of(parts, part.key());
    return text;
}

// The task of "task/ID".
std::string id_in(const bj::value& name) {
    const std::string text =
        name.is_string() ? std::string(name.get_string()) : bj::serialize(name);
    return text.substr(text.rfind('/') + 1);
}

// "paid or approved"
std::string joined(const bj::array& names) {
    std::string text;
    for (const bj::value& name : names)
        text += (text.empty() ? "" : " or ") +
                (name.is_string() ? std::string(name.get_string()) : bj::serialize(name));
    return text;
}

// "event paid or approved, until 2030-01-01T08:00:00Z (in 3d), since ..."
std::string wait_text(const bj::object& wait, Moment now) {
    std::string text;
    const auto add = [&](const std::string& before, const std::string& value) {
        if (!value.empty() && value != "[]") text += (text.empty() ? "" : ", ") + before + value;
    };
    const std::string awaited = text_of(wait, "kind");
    const bj::array& names = list_in(wait, "names");
    if (is_set(wait, "retry")) add("the next attempt of a step", " ");
    if (awaited == "job" && !names.empty())
        add("a worker, see 'holdfast jobs'", " ");
    else if (awaited == "task_completion" && !names.empty())
        add("the task ", id_in(names.front()));
    else
        add("event ", joined(names));
    add("workflow ", text_of(wait, "workflows"));
    add("until ", with_age(text_of(wait, "untilUtc"), now));
    add("since ", with_age(text_of(wait, "beganAt"), now));
    add("for activity ", text_of(wait, "owner"));
    return text;
}

// Of a workflow whose definition has limits.
bool is_turn(const bj::array& names) {
    const bj::object* name = names.empty() ? nullptr : names.front().if_object();
    return name && text_of(*name, "name") == "process/turn";
}

// The same in a few words.
std::string short_wait(const bj::object& workflow, Moment now) {
    const bj::array& waits = list_in(workflow, "waits");
    if (waits.empty() || !waits.front().is_object()) return {};
    const bj::object& wait = waits.front().get_object();
    const bj::array& names = list_in(wait, "names");
    std::string text = text_of(wait, "kind");
    if (text == "event") text += " " + joined(names);
    if (is_turn(names)) text = "its turn";
    const std::string until = age_of(text_of(wait, "untilUtc"), now);
    if (!until.empty()) text += " " + until;
    if (waits.size() > 1) text += " and " + std::to_string(waits.size() - 1) + " more";
    return text;
}

std::string standing_of(const bj::object& workflow) {
    if (is_set(workflow, "quarantined")) return "quarantined";
    if (is_set(workflow, "incident")) return "incident";
    if (is_set(workflow, "paused")) return "paused";
    if (object_in(workflow, "program").contains("retry")) return "retrying";
    return text_of(workflow, "status");
}

std::string runner_text(const bj::object& runner, Moment now) {
    if (runner.empty()) return {};
    const std::string node = text_of(runner, "node");
    if (!node.empty())
        return node + ", attempt " + text_of(runner, "attempt") + ", lease until " +
               with_age(text_of(runner, "leaseUntil"), now);
    if (!is_set(runner, "programAvailable"))
        return "nobody: no live node has the program '" + text_of(runner, "program") +
               "'; start one that has it, the workflow goes on by itself";
    const std::string next = text_of(runner, "nextTryAt");
    return next.empty() ? "nobody yet: it waits in the queue for a node"
                        : "nobody until " + with_age(next, now) + ", after " +
                              text_of(runner, "attempt") + " attempts";
}

std::string retry_text(const bj::object& retry, Moment now) {
    if (retry.empty()) return {};
    const std::string next = text_of(retry, "nextTryAt");
    return "step at index " + text_of(retry, "index") + ", attempt " + text_of(retry, "attempt") +
           (next.empty() ? " now" : " at " + with_age(next, now)) + "; last error " +
           text_of(retry, "lastError");
}

// "its turn behind 3 others, while 5 run (limits: {...})"
std::string turn_text(const bj::object& turn) {
    if (turn.empty()) return {};
    const std::string behind = text_of(turn, "behind");
    std::string text = "its turn";
    if (behind != "0") text += " behind " + behind + (behind == "1" ? " other" : " others");
    text += ", while " + text_of(turn, "running") + " run";
    if (is_set(turn, "paused"))
        return text + "; paused: 'holdfast resume " + text_of(turn, "limiter") + "'";
    return text + " (limits " + text_of(turn, "limits") + ")";
}

std::string incident_text(const bj::object& workflow, const bj::object& incident, Moment now) {
    if (!is_set(workflow, "incident")) return {};
    if (incident.empty()) return text_of(workflow, "lastError") + "; the history has its cause";
    const std::string detail = text_of(incident, "detail");
    return text_of(incident, "code") + (detail.empty() ? "" : ": " + detail) + ", since " +
           with_age(text_of(incident, "at"), now);
}

std::string child_text(const bj::object& child) {
    const std::string key = text_of(child, "businessKey");
    return text_of(child, "id") + "  " + text_of(child, "definition") + "  " +
           (is_set(child, "incident") ? "incident" : text_of(child, "status")) +
           (key.empty() ? "" : "  " + key);
}

std::string job_text(const bj::object& job, Moment now) {
    return text_of(job, "type") + " at " + text_of(job, "element") + ", attempt " +
           text_of(job, "attempts") + " of " + text_of(job, "retries") +
           (is_set(job, "leased") ? ", in work"
                                  : ", free from " + with_age(text_of(job, "visibleAt"), now));
}

// Why a workflow does not move.
template <class Add>
void add_reasons(const bj::object& workflow, Moment now, const Add& add) {
    const bj::object& why = object_in(workflow, "why");
    const std::string turn = turn_text(object_in(why, "turn"));
    add("waits for", turn);
    for (const bj::value& wait : list_in(workflow, "waits"))
        if (turn.empty() && wait.is_object()) add("waits for", wait_text(wait.get_object(), now));
    if (is_set(workflow, "paused")) add("paused", "yes; 'holdfast resume' lets it go on");
    if (is_set(workflow, "quarantined"))
        add("quarantined", "yes, the stored state fails its checksum");
    add("incident", incident_text(workflow, object_in(why, "incident"), now));
    if (!is_set(workflow, "incident")) add("last error", text_of(workflow, "lastError"));
    add("retry", retry_text(object_in(why, "retry"), now));
    add("run by", runner_text(object_in(why, "runner"), now));
    for (const bj::value& job : list_in(why, "jobs"))
        if (job.is_object()) add("job", job_text(job.get_object(), now));
    for (const bj::value& letter : list_in(why, "deadLetters"))
        if (letter.is_string()) add("dead letter", std::string(letter.get_string()));
    add("cancelled", text_of(workflow, "cancelReason"));
}

template <class Add>
void add_relations(const bj::object& workflow, const Add& add) {
    const bj::object& why = object_in(workflow, "why");
    add("parent", text_of(workflow, "parent"));
    for (const bj::value& child : list_in(why, "children"))
        if (child.is_object()) add("child", child_text(child.get_object()));
    if (is_set(why, "moreChildren"))
        add("", "... 'holdfast list --parent " + text_of(workflow, "id") + "' lists all");
    add("arguments", text_of(why, "arguments"));
}

}  // namespace

std::string age_of(const std::string& time, Moment now) {
    const auto moment = parse_iso8601(time);
    if (!moment) return {};
    const auto apart = *moment > now ? *moment - now : now - *moment;
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(apart).count();
    const std::string text = seconds < 60       ? std::to_string(seconds) + "s"
                             : seconds < 3'600  ? std::to_string(seconds / 60) + "m"
                             : seconds < 86'400 ? std::to_string(seconds / 3'600) + "h"
                                                : std::to_string(seconds / 86'400) + "d";
    return *moment > now ? "in " + text : text + " ago";
}

Lines described_workflow(const bj::object& workflow, Moment now) {
    Lines lines;
    const auto add = [&](std::string label, const std::string& value) {
        label.resize(12, ' ');
        if (!value.empty()) lines.push_back(label + value);
    };
    add("id", text_of(workflow, "id"));
    add("version", text_of(workflow, "version"));
    add("status", text_of(workflow, "status"));
    add("definition", text_of(workflow, "definition") + " (version " +
                          text_of(workflow, "definitionVersion") + ")");
    add("business", business_text(workflow));
    add("created", with_age(text_of(workflow, "createdAt"), now));
    add("started by", text_of(workflow, "startedBy"));
    add("modified", with_age(text_of(workflow, "lastModifiedAt"), now));
    add("by", text_of(workflow, "lastModifiedBy"));
    add("checkpoint", text_of(object_in(workflow, "lastCheckpoint"), "name"));
    add_reasons(workflow, now, add);
    add_relations(workflow, add);
    add("moved by", text_of(workflow, "lastExecutedBy"));
    add("ended", with_age(text_of(workflow, "completedAt"), now));
    add("result", text_of(workflow, "result"));
    const bj::value* state = workflow.if_contains("state");
    if (state) std::ranges::move(indented(*state, "state "), std::back_inserter(lines));
    const bj::value* metadata = workflow.if_contains("stateMetadata");
    if (metadata && *metadata != bj::value(bj::object{}))
        std::ranges::move(indented(*metadata, "metadata "), std::back_inserter(lines));
    return lines;
}

Table table_of(const bj::array& workflows, Moment now) {
    Table table{.header = {"ID", "STATUS", "AGE", "DEFINITION", "BUSINESS", "WHY"}, .rows = {}};
    for (const bj::value& one : workflows) {
        if (!one.is_object()) continue;
        const bj::object& workflow = one.get_object();
        const std::string error = text_of(workflow, "lastError");
        table.rows.push_back({text_of(workflow, "id"), standing_of(workflow),
                              age_of(text_of(workflow, "updatedAt"), now),
                              text_of(workflow, "definition"), business_text(workflow),
                              error.empty() ? short_wait(workflow, now) : error});
    }
    return table;
}

}  // namespace holdfast::app
