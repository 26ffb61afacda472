// Creates a human task and records a step with its id in the journal, in one commit (I7).
#pragma once

#include <variant>

#include "operations/steps/record_step.h"

namespace holdfast::op {

struct TaskCreated {
    static constexpr std::string_view name = "taskCreated";

    HumanTask task;
    Version version = 0;  // of the instance

    static void describe(auto& outcome, auto& with) {
        with("task", outcome.task);
        with("version", outcome.version);
    }
};

struct CreateTask {
    static constexpr std::string_view name = "createTask";
    using Outcome = std::variant<TaskCreated, AlreadyRecorded, Diverged, Overtaken, Ended, NotFound,
                                 Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    Run run;
    std::string step_name;
    Digest input_hash;
    TaskSpec spec;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("name", op.step_name);
        with("inputHash", op.input_hash);
        with("task", op.spec);
    }
};

// Deterministic: a repeat of the operation names the same task.
TaskId task_of(const OperationId& operation);

// For a program that asks for it in its reaction.
void add_task(View& view, const InstanceId& instance, const TaskId& id, TaskSpec spec,
              const Cause& cause);

void reads(const CreateTask& op, ReadSet& reads);
CreateTask::Outcome decide(const CreateTask& op, View& view);

}  // namespace holdfast::op
