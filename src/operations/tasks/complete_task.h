// Completes a task with its outputs and notifies the instance, in one commit (I8).
#pragma once

#include "operations/tasks/task_rules.h"

namespace holdfast::op {

// Outputs that the task expects are missing.
struct MissingOutputs {
    static constexpr std::string_view name = "missingOutputs";

    std::vector<std::string> names;

    static void describe(auto& outcome, auto& with) { with("names", outcome.names); }
};

struct CompleteTask {
    static constexpr std::string_view name = "completeTask";
    using Outcome = std::variant<TaskChanged, NotHolder, MissingOutputs, StaleTask, TaskEnded,
                                 NoTask, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    TaskId task;
    Document outputs;                 // a JSON object
    std::optional<Version> expected;  // of the task

    static void describe(auto& op, auto& with) {
        describe_change(op, with);
        with("outputs", op.outputs);
    }
};

void reads(const CompleteTask& op, ReadSet& reads);
CompleteTask::Outcome decide(const CompleteTask& op, View& view);

}  // namespace holdfast::op
