// Human tasks: work that an instance asks people to do. Each has its own version (000.12).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/caller.h"
#include "model/instance.h"

namespace holdfast {

using TaskId = Id<struct TaskTag>;

enum class TaskState { created, claimed, completed, failed, cancelled };

std::string_view name_of(TaskState state);
std::optional<TaskState> parse_task_state(std::string_view text);
constexpr bool is_open(TaskState state) {
    return state == TaskState::created || state == TaskState::claimed;
}

// The work and the users who may do it.
struct TaskSpec {
    std::string name;
    std::string queue;  // empty: none
    std::optional<std::string> assignee;
    std::vector<std::string> candidate_users;
    std::vector<std::string> candidate_groups;
    Document payload;                           // any JSON value
    std::vector<std::string> expected_outputs;  // members that the outputs must have
    std::optional<Moment> due_at;               // informational: the engine does not act on it
    std::uint32_t priority = 0;

    bool operator==(const TaskSpec&) const = default;
};

struct HumanTask {
    TaskId id;
    InstanceId instance;
    std::string tenant = "default";  // of the instance
    std::string definition;          // key
    BusinessReference business;      // of the instance when the task was created
    TaskSpec spec;
    TaskState state = TaskState::created;
    std::optional<std::string> holder;  // the user who claimed it
    std::optional<Document> outputs;    // of a completed task
    std::optional<Document> error;      // of a failed task
    Version version = 0;                // 1, 2, 3, ... one per event
    Moment created_at;
    Moment updated_at;
    std::optional<Moment> ended_at;

    bool operator==(const HumanTask&) const = default;
};

// True for the assignee, a candidate or a member of a candidate group; for all users if the task
// names none of these.
bool may_claim(const HumanTask& task, const Caller& caller);
// The event that notifies the instance of the end of the task, while the notice is under way. Of
// another event: none.
std::string event_name_of(const TaskId& id);
std::optional<TaskId> task_named_by(std::string_view event_name);

enum class TaskEventType {
    created,
    assigned,
    claimed,
    released,
    reassigned,
    completed,
    failed,
    cancelled
};

std::string_view name_of(TaskEventType type);
std::optional<TaskEventType> parse_task_event_type(std::string_view text);

// One change of a task. Append-only, written in the commit of the change (004.8).
struct TaskEvent {
    TaskId task;
    Version version = 0;  // of the task after the change
    InstanceId instance;
    TaskEventType type = TaskEventType::created;
    Caller caller;    // without a user: the engine
    Document detail;  // a JSON object
    OperationId operation;
    Moment at;

    bool operator==(const TaskEvent&) const = default;
};

}  // namespace holdfast
