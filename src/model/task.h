// Human tasks: what an instance asks people to do. Each has a version of its own (000.12).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/instance.h"

namespace holdfast {

using TaskId = Id<struct TaskTag>;

enum class TaskState { created, claimed, completed, failed, cancelled };

std::string_view name_of(TaskState state);
std::optional<TaskState> parse_task_state(std::string_view text);
constexpr bool is_open(TaskState state) {
    return state == TaskState::created || state == TaskState::claimed;
}

// What is asked, and of whom. People are named by text ids, groups are their roles.
struct TaskSpec {
    std::string name;
    std::string queue;  // where it is routed to; empty: nowhere in particular
    std::optional<std::string> assignee;
    std::vector<std::string> candidate_users;
    std::vector<std::string> candidate_groups;
    Document payload;                           // any JSON value
    std::vector<std::string> expected_outputs;  // members that the outputs must have
    std::optional<Moment> due_at;               // for people: nothing happens by itself
    std::uint32_t priority = 0;

    bool operator==(const TaskSpec&) const = default;
};

// Somebody who acts on tasks, with the groups that he is in.
struct Person {
    std::string user;
    std::vector<std::string> groups;

    bool operator==(const Person&) const = default;
};

struct HumanTask {
    TaskId id;
    InstanceId instance;
    std::string definition;      // key
    BusinessReference business;  // of the instance, as it was when it asked
    TaskSpec spec;
    TaskState state = TaskState::created;
    std::optional<std::string> holder;  // who claimed it
    std::optional<Document> outputs;    // of a completed one
    std::optional<Document> error;      // of a failed one
    Version version = 0;                // 1, 2, 3, ... one per event
    Moment created_at;
    Moment updated_at;
    std::optional<Moment> ended_at;

    bool operator==(const HumanTask&) const = default;
};

// The assignee, a candidate, or a member of a candidate group; anybody where none of them is named.
bool may_claim(const HumanTask& task, const Person& person);
// The event by which the instance is told that the task has ended.
std::string event_name_of(const TaskId& id);

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

// What happened to a task. Only ever added, in the commit of the change (004.8).
struct TaskEvent {
    TaskId task;
    Version version = 0;  // that the task has since
    InstanceId instance;
    TaskEventType type = TaskEventType::created;
    std::string user;  // empty: nobody, the engine
    Document detail;   // a JSON object
    OperationId operation;
    Moment at;

    bool operator==(const TaskEvent&) const = default;
};

}  // namespace holdfast
