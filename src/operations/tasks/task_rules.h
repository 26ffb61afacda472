// Shared by the operations on human tasks: refusals, and how a task ends (000.12).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

// The task as the operation left it.
struct TaskChanged {
    HumanTask task;
};
// The task is already in the requested state: nothing was written.
struct TaskUnchanged {
    HumanTask task;
};

struct NoTask {};
struct TaskEnded {
    HumanTask task;
};
// The version that the caller named is not the current one.
struct StaleTask {
    Version expected = 0;
    HumanTask task;
};
// Another user holds the task.
struct TaskHeld {
    HumanTask task;
};
// The user is not the holder of the task.
struct NotHolder {
    HumanTask task;
};
// The user is neither the assignee nor a candidate, by name or by group.
struct NotCandidate {
    HumanTask task;
};

// Also reads the instance: its row lock guards its tasks.
void read_task(ReadSet& reads, const InstanceId& instance, const TaskId& task);

// Null: no such task in that instance.
const HumanTask* find_task(const View& view, const InstanceId& instance, const TaskId& task);

// Why the task may not be accessed. Absent: it may.
template <class Op>
std::optional<typename Op::Outcome> refuse_access(const Op& op, View& view) {
    if (!find_task(view, op.instance, op.task)) return NoTask{};
    if (is_quarantined(view, *view.find(op.instance))) return Quarantined{};
    return std::nullopt;
}

// Why a task may not change. Absent: it may.
template <class Op>
std::optional<typename Op::Outcome> refuse_change(const Op& op, const HumanTask& task) {
    if (!is_open(task.state)) return TaskEnded{task};
    if (op.expected && *op.expected != task.version) return StaleTask{*op.expected, task};
    return std::nullopt;
}

struct TaskEnding {
    TaskState state = TaskState::completed;
    std::optional<Document> outputs;
    std::optional<Document> error;
    std::string user;
};
// Names the reads that `end_task` needs.
void read_task_end(ReadSet& reads, const InstanceId& instance, const TaskId& task);
// Ends an open task and notifies its instance by an event, in one commit (I8).
HumanTask end_task(View& view, HumanTask task, TaskEnding ending, const Cause& cause);
// Cancels the open tasks of an instance that ends; the instance's history has the reason.
void cancel_open_tasks(View& view, const InstanceId& id, const Cause& cause);

boost::json::object to_json(const TaskChanged& outcome);
boost::json::object to_json(const TaskUnchanged& outcome);
boost::json::object to_json(const NoTask&);
boost::json::object to_json(const TaskEnded& outcome);
boost::json::object to_json(const StaleTask& outcome);
boost::json::object to_json(const TaskHeld& outcome);
boost::json::object to_json(const NotHolder& outcome);
boost::json::object to_json(const NotCandidate& outcome);
Result<TaskChanged> task_changed_from_json(const boost::json::value& value);

// The members that every change of a task has.
boost::json::object change_json(std::string_view name, const Cause& cause,
                                const InstanceId& instance, const TaskId& task,
                                const std::string& user, const std::optional<Version>& expected);
template <class Op>
boost::json::object change_json(const Op& op) {
    auto object = change_json(op.name, op.cause, op.instance, op.task, op.user, op.expected);
    object["clientKey"] = to_json(op.client_key);
    return object;
}

}  // namespace holdfast::op
