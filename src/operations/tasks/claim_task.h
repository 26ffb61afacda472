// Claims a task for its assignee or a candidate; of two users who claim it, one wins (000.12).
#pragma once

#include "operations/tasks/task_rules.h"

namespace holdfast::op {

struct ClaimTask {
    static constexpr std::string_view name = "claimTask";
    using Outcome = std::variant<TaskChanged, TaskUnchanged, TaskHeld, NotCandidate, StaleTask,
                                 TaskEnded, NoTask, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    TaskId task;
    std::optional<Version> expected;  // of the task

    static void describe(auto& op, auto& with) { describe_change(op, with); }
};

void reads(const ClaimTask& op, ReadSet& reads);
ClaimTask::Outcome decide(const ClaimTask& op, View& view);

}  // namespace holdfast::op
