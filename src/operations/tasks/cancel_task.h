// Cancels a task, claimed or not; a repeat changes nothing (000.12).
#pragma once

#include "operations/tasks/task_rules.h"

namespace holdfast::op {

struct CancelTask {
    static constexpr std::string_view name = "cancelTask";
    using Outcome =
        std::variant<TaskChanged, TaskUnchanged, StaleTask, TaskEnded, NoTask, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    TaskId task;
    std::optional<Version> expected;  // of the task

    static void describe(auto& op, auto& with) { describe_change(op, with); }
};

void reads(const CancelTask& op, ReadSet& reads);
CancelTask::Outcome decide(const CancelTask& op, View& view);

}  // namespace holdfast::op
