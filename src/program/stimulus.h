// What can happen to an instance.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/event.h"
#include "model/journal.h"
#include "model/modification.h"
#include "model/wait.h"

namespace holdfast {

namespace stimulus {

struct Started {
    const Document& arguments;
    std::string_view at{};  // the element whose event starts it; empty: none
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
struct WorkflowEnded {
    const Waiting& wait;
    InstanceId workflow;
    std::string_view status;  // of the workflow, or "cleared"
    Document result;
};

// Its runner has something for the journal.
struct StepRecorded {
    const Step& step;
};
struct CancelRequested {
    const std::string& reason;
};
// Somebody changed its state, which the instance has already.
struct StateEdited {};
// Somebody changes what the program does next.
struct Modified {
    const std::vector<Modification>& steps;
};

}  // namespace stimulus

using Stimulus =
    std::variant<stimulus::Started, stimulus::EventArrived, stimulus::TimerReached,
                 stimulus::WorkflowEnded, stimulus::StepRecorded, stimulus::CancelRequested,
                 stimulus::StartsOpened, stimulus::StateEdited, stimulus::Modified>;

}  // namespace holdfast
