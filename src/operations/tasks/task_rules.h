// Shared by the operations on human tasks: refusals, and how a task ends (000.12).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

// The task as the operation left it.
struct TaskChanged {
    static constexpr std::string_view name = "changed";

    HumanTask task;

    static void describe(auto& outcome, auto& with) { with("task", outcome.task); }
};
// The task is already in the requested state: nothing was written.
struct TaskUnchanged {
    static constexpr std::string_view name = "unchanged";

    HumanTask task;

    static void describe(auto& outcome, auto& with) { with("task", outcome.task); }
};

struct NoTask {
    static constexpr std::string_view name = "noTask";
};
struct TaskEnded {
    static constexpr std::string_view name = "taskEnded";

    HumanTask task;

    static void describe(auto& outcome, auto& with) { with("task", outcome.task); }
};
// The version that the caller named is not the current one.
struct StaleTask {
    static constexpr std::string_view name = "staleTask";

    Version expected = 0;
    HumanTask task;

    static void describe(auto& outcome, auto& with) {
        with("expected", outcome.expected);
        with("task", outcome.task);
    }
};
// Another user holds the task.
struct TaskHeld {
    static constexpr std::string_view name = "taskHeld";

    HumanTask task;

    static void describe(auto& outcome, auto& with) { with("task", outcome.task); }
};
// The user is not the holder of the task.
struct NotHolder {
    static constexpr std::string_view name = "notHolder";

    HumanTask task;

    static void describe(auto& outcome, auto& with) { with("task", outcome.task); }
};
// The user is neither the assignee nor a candidate, by name or by group.
struct NotCandidate {
    static constexpr std::string_view name = "notCandidate";

    HumanTask task;

    static void describe(auto& outcome, auto& with) { with("task", outcome.task); }
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
    Caller caller;
};
// Names the reads that `end_task` needs.
void read_task_end(ReadSet& reads, const InstanceId& instance, const TaskId& task);
// Ends an open task and notifies its instance by an event, in one commit (I8).
HumanTask end_task(View& view, HumanTask task, TaskEnding ending, const Cause& cause);
// Cancels the open tasks of an instance that ends; the instance's history has the reason.
void cancel_open_tasks(View& view, const InstanceId& id, const Cause& cause);
// Cancels one task that its program no longer needs; the program is not notified.
void cancel_task(View& view, const InstanceId& instance, const TaskId& task, const Cause& cause);

// The members that every change of a task has.
template <class Op>
void describe_change(Op& op, auto& with) {
    with("instance", op.instance);
    with("task", op.task);
    with("expected", op.expected);
}

}  // namespace holdfast::op
