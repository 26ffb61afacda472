#include "model/task.h"

#include <algorithm>

#include "base/names.h"
#include "model/event.h"

namespace holdfast {
namespace {

constexpr Named<TaskState> states[] = {{TaskState::created, "created"},
                                       {TaskState::claimed, "claimed"},
                                       {TaskState::completed, "completed"},
                                       {TaskState::failed, "failed"},
                                       {TaskState::cancelled, "cancelled"}};
constexpr Named<TaskEventType> task_event_types[] = {
    {TaskEventType::created, "created"},       {TaskEventType::assigned, "assigned"},
    {TaskEventType::claimed, "claimed"},       {TaskEventType::released, "released"},
    {TaskEventType::reassigned, "reassigned"}, {TaskEventType::completed, "completed"},
    {TaskEventType::failed, "failed"},         {TaskEventType::cancelled, "cancelled"}};

bool has(const std::vector<std::string>& list, const std::string& text) {
    return std::ranges::find(list, text) != list.end();
}

}  // namespace

std::string_view name_of(TaskState state) { return name_in(states, state); }
std::optional<TaskState> parse_task_state(std::string_view text) { return find_in(states, text); }
std::string_view name_of(TaskEventType type) { return name_in(task_event_types, type); }
std::optional<TaskEventType> parse_task_event_type(std::string_view text) {
    return find_in(task_event_types, text);
}

bool may_claim(const HumanTask& task, const Caller& caller) {
    const TaskSpec& spec = task.spec;
    if (!spec.assignee && spec.candidate_users.empty() && spec.candidate_groups.empty())
        return true;
    return spec.assignee == caller.user || has(spec.candidate_users, caller.user) ||
           std::ranges::any_of(caller.groups, [&](const std::string& group) {
               return has(spec.candidate_groups, group);
           });
}

std::string event_name_of(const TaskId& id) { return "task/" + to_string(id); }
std::optional<TaskId> task_named_by(std::string_view event_name) {
    if (!is_task_name(event_name)) return std::nullopt;
    return parse_id<TaskId>(event_name.substr(std::string_view("task/").size()));
}

}  // namespace holdfast
