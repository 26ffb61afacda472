// Releases a claimed task: its assignee or a candidate may claim it again (000.12).
#pragma once

#include "operations/tasks/task_rules.h"

namespace holdfast::op {

struct ReleaseTask {
    static constexpr std::string_view name = "releaseTask";
    using Outcome = std::variant<TaskChanged, NotHolder, StaleTask, TaskEnded, NoTask, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    TaskId task;
    std::optional<Version> expected;  // of the task

    static void describe(auto& op, auto& with) { describe_change(op, with); }
};

void reads(const ReleaseTask& op, ReadSet& reads);
ReleaseTask::Outcome decide(const ReleaseTask& op, View& view);

}  // namespace holdfast::op
