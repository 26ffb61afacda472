// The commands of an execution: values, in index order. Most are the operations themselves, with
// what the flow knows: the index at which it is, and what it asks for. Whoever submits them adds
// the cause, the instance and the rest of the fence.
#pragma once

#include <variant>

#include "holdfast/calls.h"
#include "model/journal.h"
#include "operations/events/suspend.h"
#include "operations/lifecycle/continue_as.h"
#include "operations/lifecycle/fail.h"
#include "operations/lifecycle/finish.h"
#include "operations/lifecycle/start_child.h"
#include "operations/state/set_state.h"
#include "operations/steps/put_off.h"
#include "operations/steps/record_step.h"
#include "operations/tasks/create_task.h"

namespace holdfast::flow {

using json::Document;

// The result of a step's function.
struct StepEnd {
    std::optional<Json> value;  // absent: `error` applies
    FailedAttempt error;
    bool retryable = true;
    // When it ended. Absent: the store sets the time, and the flow waits until it is recorded.
    std::optional<Moment> at{};
};

// Run the function, which stays alive until end_step.
struct RunStep {
    std::uint64_t index = 0;
    StepFunction* function = nullptr;
    StepOptions options;
    Attempt attempt;
};
// SendEvent and ReadState are executed by the engine and recorded like steps.
struct SendEvent {
    std::uint64_t index = 0;
    std::optional<std::string> target;  // absent: a broadcast
    std::string name;
    Json value;
};
struct ReadState {
    std::uint64_t index = 0;
};

// The program does not match the journal. The last command of the execution.
struct Diverged {
    std::uint64_t index = 0;
    std::string expected;  // by the program
    std::string found;     // in the journal
};

using Command = std::variant<RunStep, SendEvent, ReadState, op::RecordStep, op::StartChild,
                             op::SetState, op::CreateTask, op::Suspend, op::PutOff, op::Finish,
                             op::Fail, op::ContinueAs, Diverged>;

}  // namespace holdfast::flow
