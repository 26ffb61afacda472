// Creates a human task and records a step with its id in the journal, in one commit (I7).
#pragma once

#include <variant>

#include "operations/steps/record_step.h"

namespace holdfast::op {

struct TaskCreated {
    HumanTask task;
    Version version = 0;  // of the instance
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
};

// Deterministic: a repeat of the operation names the same task.
TaskId task_of(const OperationId& operation);

void reads(const CreateTask& op, ReadSet& reads);
CreateTask::Outcome decide(const CreateTask& op, View& view);
boost::json::object to_json(const CreateTask& op);
boost::json::object to_json(const TaskCreated& outcome);
Result<TaskCreated> task_created_from_json(const boost::json::value& value);

}  // namespace holdfast::op
