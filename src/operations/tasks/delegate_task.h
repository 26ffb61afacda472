// Reassigns a task by its holder, or by its assignee while it is not claimed (004.8).
#pragma once

#include "operations/tasks/task_rules.h"

namespace holdfast::op {

struct DelegateTask {
    static constexpr std::string_view name = "delegateTask";
    using Outcome =
        std::variant<TaskChanged, TaskHeld, NotHolder, StaleTask, TaskEnded, NoTask, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    TaskId task;
    std::string to;
    std::optional<Version> expected;  // of the task

    static void describe(auto& op, auto& with) {
        describe_change(op, with);
        with("to", op.to);
    }
};

void reads(const DelegateTask& op, ReadSet& reads);
DelegateTask::Outcome decide(const DelegateTask& op, View& view);

}  // namespace holdfast::op
