#include "http/input/task_input.h"

#include <boost/json.hpp>
#include <set>

#include "base/json/canonical.h"
#include "http/caller.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "http/input/runner_input.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_names = 100;
constexpr std::uint64_t highest_priority = 1'000;
constexpr std::size_t largest_payload = 256 * 1024;
constexpr std::string_view part_prefix = "businessPart.";

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

Result<TaskSpec> read_spec(const bj::object& body) {
    TaskSpec spec;
    HF_TRY(auto name, read_text(body, "name"));
    HF_TRY(spec.name, read_label(name.value_or(""), "'name'"));
    HF_TRY(auto queue, read_who(body, "queue"));
    spec.queue = queue.value_or("");
    HF_TRY(spec.assignee, read_who(body, "assignee"));
    HF_TRY(spec.candidate_users, read_names(body, "candidateUsers"));
    HF_TRY(spec.candidate_groups, read_names(body, "candidateGroups"));
    spec.payload = read_value(body, "payload");
    if (spec.payload.text().size() > largest_payload)
        return refuse("'payload' must have at most 256 KiB");
    HF_TRY(spec.expected_outputs, read_names(body, "expectedOutputs"));
    HF_TRY(auto due, read_text(body, "dueAt"));
    if (due) {
        HF_TRY(spec.due_at, read_moment(*due, "'dueAt'"));
    }
    HF_TRY(auto priority, read_number(body, "priority"));
    if (priority.value_or(0) > highest_priority)
        return refuse("'priority' must be a number from 0 to 1000");
    spec.priority = static_cast<std::uint32_t>(priority.value_or(0));
    return spec;
}

Result<std::vector<TaskState>> read_states(std::string_view text) {
    std::vector<TaskState> states;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const std::string_view name = text.substr(at, comma - at);
        at = comma + 1;
        if (name == "open")
            states.insert(states.end(), {TaskState::created, TaskState::claimed});
        else if (const auto state = parse_task_state(name))
            states.push_back(*state);
        else
            return refuse("state must be open, created, claimed, completed, failed or cancelled");
    }
    return states;
}

template <class Target>
Result<void> read_filter(const Request& request, const char* name, Target& target) {
    if (const auto value = request.query_value(name)) {
        HF_TRY(target, read_label(*value, name));
    }
    return {};
}

// As for workflows, a value may be any text that a store can hold.
Result<void> read_parts(const Request& request, TaskQuery& query) {
    for (const auto& [name, value] : request.query) {
        if (!name.starts_with(part_prefix)) continue;
        HF_TRY(auto part, read_name(std::string_view(name).substr(part_prefix.size()),
                                    "the name of a business part"));
        if (value.find('\0') != std::string::npos)
            return refuse("parameter '" + name + "' must not contain NUL");
        query.business_parts.emplace(std::move(part), value);
    }
    return {};
}

Result<void> read_filters(const Request& request, TaskQuery& query) {
    HF_CHECK(read_parts(request, query));
    HF_CHECK(read_filter(request, "assignee", query.assignee));
    HF_CHECK(read_filter(request, "holder", query.holder));
    HF_CHECK(read_filter(request, "candidate", query.candidate_user));
    HF_CHECK(read_filter(request, "group", query.candidate_group));
    HF_CHECK(read_filter(request, "definition", query.definition));
    HF_CHECK(read_filter(request, "businessKey", query.business_key));
    HF_CHECK(read_filter(request, "queue", query.queue));
    if (const auto workflow = request.query_value("workflow")) {
        query.instance = parse_id<InstanceId>(*workflow);
        if (!query.instance) return refuse("workflow must be a workflow id (a UUID)");
    }
    if (const auto state = request.query_value("state")) {
        HF_TRY(query.states, read_states(*state));
    }
    if (const auto due = request.query_value("dueBefore")) {
        HF_TRY(query.due_before, read_moment(*due, "dueBefore"));
    }
    return {};
}

}  // namespace

Result<std::vector<std::string>> read_names(const bj::object& body, std::string_view name) {
    std::vector<std::string> names;
    const bj::value* member = body.if_contains(name);
    if (!member || member->is_null()) return names;
    const bj::array* list = member->if_array();
    if (!list || list->size() > most_names)
        return refuse(quoted(name) + " must be a list of at most 100 names");
    std::set<std::string> seen;
    for (const bj::value& item : *list) {
        if (!item.is_string()) return refuse(quoted(name) + " must be a list of strings");
        HF_TRY(auto text, read_label(item.as_string(), "each name in " + quoted(name)));
        if (!seen.insert(text).second)
            return refuse(quoted(name) + " contains '" + text + "' twice");
        names.push_back(std::move(text));
    }
    return names;
}

Result<TaskId> read_task_id(const Request& request) {
    const auto id = parse_id<TaskId>(request.param("task"));
    if (!id) return refuse("a task id must be a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057");
    return *id;
}

Result<std::optional<std::string>> read_who(const bj::object& body, std::string_view name) {
    HF_TRY(auto text, read_text(body, name));
    if (text) {
        HF_TRY(text, read_label(*text, quoted(name)));
    }
    return text;
}

Result<Caller> read_actor(const Request& request, const bj::object& body) {
    HF_TRY(auto user, read_who(body, "user"));
    HF_TRY(auto groups, read_names(body, "groups"));
    return acting_as(request, user, std::move(groups));
}

Result<op::CreateTask> read_create_task(const Request& request, IdSource& ids) {
    op::CreateTask create;
    HF_TRY(create.instance, read_instance_id(request));
    HF_TRY(auto body, read_object(request, {"run", "index", "name", "queue", "assignee",
                                            "candidateUsers", "candidateGroups", "payload",
                                            "expectedOutputs", "dueAt", "priority", "lease"}));
    HF_TRY(create.run, read_run(body));
    HF_TRY(create.spec, read_spec(body));
    create.step_name = create.spec.name;
    create.input_hash = sha256(json::canonical(to_json(create.spec)));
    HF_TRY(create.cause, read_cause(request, ids));
    HF_TRY(create.client_key, read_client_key(request));
    return create;
}

Result<TaskList> read_task_list(const Request& request) {
    TaskList list;
    HF_CHECK(read_filters(request, list.query));
    std::set<std::string> filters;
    for (const auto& [name, value] : request.query) {
        if (name == "limit" || name == "cursor") continue;
        std::string filter = name;
        filter.append("=").append(value).append("\n");
        filters.insert(std::move(filter));
    }
    for (const std::string& filter : filters) list.filters += filter;
    list.query.limit = number_of(request, "limit");
    if (const auto cursor = request.query_value("cursor")) {
        HF_TRY(auto position, read_cursor(*cursor, list.filters));
        list.query.after = parse_id<TaskId>(position);
        if (!list.query.after) return refuse("invalid cursor; repeat the query without it");
    }
    return list;
}

}  // namespace holdfast::http
