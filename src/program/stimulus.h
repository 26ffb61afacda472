// What can happen to an instance.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/event.h"
#include "model/journal.h"
#include "model/modification.h"
#include "model/signal.h"
#include "model/task.h"
#include "model/wait.h"

namespace holdfast {

namespace stimulus {

struct Started {
    const Document& arguments;
    std::string_view at{};       // the element whose event starts it; empty: none
    std::uint32_t depth = 0;     // how many calls are around it
    std::uint64_t priority = 0;  // of its turn, if its definition has limits
};
// A starter: it waits for what starts instances of its definition.
struct StartsOpened {};

// These have ended a wait, which is no longer among the waits of the instance.
struct EventArrived {
    const Waiting& wait;
    const Event& event;
};
struct TimerReached {
    const Waiting& wait;
    Moment due;
};
// A human task of the instance: completed, failed or cancelled.
struct TaskEnded {
    const Waiting& wait;
    TaskId task;
    const Document& notice;  // its outcome, outputs, error and who ended it
};
// A worker is done with a job of the instance.
struct JobEnded {
    const Waiting& wait;
    SignalId job;
    const Document& result;
};
struct WorkflowEnded {
    const Waiting& wait;
    InstanceId workflow;
    std::string_view status;  // of the workflow, or "cleared"
    Document result;
};

// Its runner has something for the journal.
struct StepRecorded {
    const Step& step;
    bool registers_undo = false;  // a cancel runs it
};
// A step of its runner failed and will be tried again at the same index.
struct AttemptFailed {
    const Document& error;
};
struct CancelRequested {
    const std::string& reason;
};
// Somebody changed its state, which the instance has already.
struct StateEdited {};
// Somebody asks for what only its program understands.
struct Asked {
    const Document& request;  // {"do": ...}
    Moment at;                // the same however often the operation runs again
};
// Somebody changes what the program does next.
struct Modified {
    const std::vector<Modification>& steps;
};

}  // namespace stimulus

using Stimulus = std::variant<stimulus::Started, stimulus::EventArrived, stimulus::TimerReached,
                              stimulus::TaskEnded, stimulus::JobEnded, stimulus::WorkflowEnded,
                              stimulus::StepRecorded, stimulus::AttemptFailed,
                              stimulus::CancelRequested, stimulus::StartsOpened,
                              stimulus::StateEdited, stimulus::Asked, stimulus::Modified>;

}  // namespace holdfast
