// What an execution wants done next: values, in the order of their indexes.
#pragma once

#include <variant>

#include "holdfast/calls.h"
#include "model/journal.h"
#include "model/wait.h"

namespace holdfast::flow {

using json::Document;

// What the function of a step came to.
struct StepEnd {
    std::optional<Json> value;  // else:
    FailedAttempt error;
    bool retryable = true;
    // When it ended. Absent: the flow learns that with the answer to its record, and waits for it.
    std::optional<Moment> at{};
};

// Run the function, which stays alive until its end is told.
struct RunStep {
    std::uint64_t index = 0;
    StepFunction* function = nullptr;
    StepOptions options;
    Attempt attempt;
};
// Effects of the engine that are recorded like steps.
struct SendEvent {
    std::uint64_t index = 0;
    std::optional<std::string> target;  // none: a broadcast
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
    bool rollback = false;       // something is to be undone from now on
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
// The program is not the one that wrote the journal. Nothing else comes from this execution.
struct Diverged {
    std::uint64_t index = 0;
    std::string expected;  // by the program
    std::string found;     // in the journal
};

using Command = std::variant<RunStep, SendEvent, ReadState, Record, StartChild, SetState,
                             CreateTask, Suspend, PutOff, Finish, Fail, ContinueAs, Diverged>;

}  // namespace holdfast::flow
