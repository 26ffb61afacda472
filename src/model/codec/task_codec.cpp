#include <boost/json.hpp>

#include "model/codec/codec.h"
#include "model/codec/member_reader.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

bj::value text_or_null(const std::optional<std::string>& text) {
    return text && !text->empty() ? bj::value(*text) : bj::value(nullptr);
}
bj::value value_or_null(const std::optional<Document>& document) {
    return document ? document->value() : bj::value(nullptr);
}
bj::array list_of(const std::vector<std::string>& texts) {
    return bj::array(texts.begin(), texts.end());
}

}  // namespace

bj::object to_json(const TaskSpec& spec) {
    bj::object object;
    object["name"] = spec.name;
    object["queue"] = text_or_null(spec.queue);
    object["assignee"] = text_or_null(spec.assignee);
    object["candidateUsers"] = list_of(spec.candidate_users);
    object["candidateGroups"] = list_of(spec.candidate_groups);
    object["payload"] = spec.payload.value();
    object["expectedOutputs"] = list_of(spec.expected_outputs);
    object["dueAt"] = to_json(spec.due_at);
    object["priority"] = spec.priority;
    return object;
}

Result<TaskSpec> task_spec_from_json(const bj::value& value) {
    MemberReader reader(value);
    TaskSpec spec;
    spec.name = reader.text("name");
    if (!reader.is_absent("queue")) spec.queue = reader.text("queue");
    if (!reader.is_absent("assignee")) spec.assignee = reader.text("assignee");
    spec.candidate_users = reader.texts("candidateUsers");
    spec.candidate_groups = reader.texts("candidateGroups");
    spec.payload = reader.document("payload");
    spec.expected_outputs = reader.texts("expectedOutputs");
    spec.due_at = reader.optional_moment("dueAt");
    spec.priority = static_cast<std::uint32_t>(reader.number("priority"));
    return reader.give(std::move(spec));
}

bj::object to_json(const HumanTask& task) {
    bj::object object;
    object["id"] = to_string(task.id);
    object["version"] = task.version;
    object["state"] = name_of(task.state);
    object["holder"] = text_or_null(task.holder);
    object["workflow"] = to_string(task.instance);
    object["definition"] = task.definition;
    object["businessReference"] = to_json(task.business);
    for (auto& member : to_json(task.spec)) object.emplace(member.key(), std::move(member.value()));
    object["outputs"] = value_or_null(task.outputs);
    object["error"] = value_or_null(task.error);
    object["createdAt"] = to_iso8601(task.created_at);
    object["updatedAt"] = to_iso8601(task.updated_at);
    object["endedAt"] = to_json(task.ended_at);
    return object;
}

Result<HumanTask> task_from_json(const bj::value& value) {
    MemberReader reader(value);
    HumanTask task;
    task.id = reader.id<TaskId>("id");
    task.version = reader.number("version");
    const auto state = parse_task_state(reader.text("state"));
    if (!state) reader.blame("state");
    task.state = state.value_or(TaskState::failed);
    if (!reader.is_absent("holder")) task.holder = reader.text("holder");
    task.instance = reader.id<InstanceId>("workflow");
    task.definition = reader.text("definition");
    HF_TRY(task.business, business_from_json(reader.value("businessReference")));
    HF_TRY(task.spec, task_spec_from_json(value));
    // null is a valid error value, so the state decides whether there is one.
    if (task.state == TaskState::completed) task.outputs = reader.document("outputs");
    if (task.state == TaskState::failed) task.error = reader.document("error");
    task.created_at = reader.moment("createdAt");
    task.updated_at = reader.moment("updatedAt");
    task.ended_at = reader.optional_moment("endedAt");
    return reader.give(std::move(task));
}

bj::object to_json(const TaskEvent& event) {
    bj::object object;
    object["version"] = event.version;
    object["type"] = name_of(event.type);
    object["user"] = user_json(event.caller.user);
    object["detail"] = event.detail.value();
    object["operation"] = to_string(event.operation);
    object["at"] = to_iso8601(event.at);
    add_memberships(object, event.caller);
    return object;
}

}  // namespace holdfast
