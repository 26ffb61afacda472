// The commands of an execution: values, in index order.
#pragma once

#include <variant>

#include "holdfast/calls.h"
#include "model/journal.h"
#include "model/wait.h"

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

struct Record {
    std::uint64_t index = 0;
    std::string name;
    Digest input_hash;
    StepResult result = StepResult::value;
    Document value;
    bool rollback = false;       // the flow has an undo from now on
    std::optional<Moment> at{};  // when it ended
};
struct StartChild {
    std::uint64_t index = 0;
    std::string name;
    Digest input_hash;
    std::string definition;
    Document arguments;
    bool detached = false;
};
struct SetState {
    std::uint64_t index = 0;
    std::string name;
    Digest input_hash;
    Document patch;
};
struct CreateTask {
    std::uint64_t index = 0;
    std::string name;
    Digest input_hash;
    const TaskRequest* request = nullptr;
};
struct Suspend {
    std::uint64_t index = 0;
    Wait wait;
    std::optional<std::chrono::microseconds> after;
};
struct PutOff {
    std::uint64_t index = 0;
    Document error;
    std::chrono::microseconds pause{0};
};

struct Finish {
    std::uint64_t index = 0;
    Document result;
};
struct Fail {
    std::uint64_t index = 0;
    std::string code;
    Document error;
    bool cancelled = false;
};
struct ContinueAs {
    std::uint64_t index = 0;
    Document arguments;
};
// The program does not match the journal. The last command of the execution.
struct Diverged {
    std::uint64_t index = 0;
    std::string expected;  // by the program
    std::string found;     // in the journal
};

using Command = std::variant<RunStep, SendEvent, ReadState, Record, StartChild, SetState,
                             CreateTask, Suspend, PutOff, Finish, Fail, ContinueAs, Diverged>;

}  // namespace holdfast::flow
