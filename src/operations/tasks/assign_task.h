// Sets or removes the assignee of a task that is not claimed (004.8).
#pragma once

#include "operations/tasks/task_rules.h"

namespace holdfast::op {

struct AssignTask {
    static constexpr std::string_view name = "assignTask";
    using Outcome = std::variant<TaskChanged, TaskHeld, StaleTask, TaskEnded, NoTask, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    TaskId task;
    std::optional<std::string> assignee;  // absent: no assignee
    std::optional<Version> expected;      // of the task

    static void describe(auto& op, auto& with) {
        describe_change(op, with);
        with("assignee", op.assignee);
    }
};

void reads(const AssignTask& op, ReadSet& reads);
AssignTask::Outcome decide(const AssignTask& op, View& view);

}  // namespace holdfast::op
