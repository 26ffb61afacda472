// What events catch and throw. An event without a trigger is a none event, one with several is a
// multiple event.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "bpmn/expression/compile_text.h"
#include "bpmn/process/ids.h"
#include "bpmn/process/jobs.h"
#include "bpmn/process/mapping.h"
#include "bpmn/timer/schedule.h"

namespace holdfast::bpmn {

struct MessageTrigger {
    std::optional<MessageId> message;
    std::optional<Job> job;  // of a throw event that a worker sends; absent: the engine sends it
};

// The schedule, or an expression that gives a text, a date-time or a duration.
struct TimerTrigger {
    enum class Kind : std::uint8_t { date, duration, cycle };

    Kind kind = Kind::duration;
    std::variant<Schedule, feel::Expression> when;
};

struct SignalTrigger {
    SignalId signal;
    std::vector<Mapping> variables;  // that a throw event passes on
};

// Catch: no code catches every error. The variables receive what was thrown.
struct ErrorTrigger {
    std::optional<ErrorId> error;
    std::string code_variable;
    std::string message_variable;
};

// Catch: no code catches every escalation.
struct EscalationTrigger {
    std::optional<EscalationId> escalation;
    std::string code_variable;
};

struct ConditionTrigger {
    feel::Expression condition;
    std::string variable;             // only changes of this variable; empty: of any
    std::vector<std::string> events;  // create, update, delete; empty: any
};

// Throw: the activity to compensate, or the whole scope.
struct CompensationTrigger {
    std::optional<FlowNodeId> activity;
    bool waits = true;  // until the handlers have ended
};

// Throw: `target` is the catch event of that name in the same scope.
struct LinkTrigger {
    std::string name;
    std::optional<FlowNodeId> target;
};

struct TerminateTrigger {};
struct CancelTrigger {};

using Trigger = std::variant<MessageTrigger, TimerTrigger, SignalTrigger, ErrorTrigger,
                             EscalationTrigger, ConditionTrigger, CompensationTrigger, LinkTrigger,
                             TerminateTrigger, CancelTrigger>;

}  // namespace holdfast::bpmn
