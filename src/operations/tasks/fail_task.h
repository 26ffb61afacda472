// Ends a task as failed, by its holder; a repeat changes nothing (000.12).
#pragma once

#include "operations/tasks/task_rules.h"

namespace holdfast::op {

struct FailTask {
    static constexpr std::string_view name = "failTask";
    using Outcome = std::variant<TaskChanged, TaskUnchanged, NotHolder, StaleTask, TaskEnded,
                                 NoTask, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    TaskId task;
    Document error;                   // any JSON value
    std::optional<Version> expected;  // of the task

    static void describe(auto& op, auto& with) {
        describe_change(op, with);
        with("error", op.error);
    }
};

void reads(const FailTask& op, ReadSet& reads);
FailTask::Outcome decide(const FailTask& op, View& view);

}  // namespace holdfast::op
