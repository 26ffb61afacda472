// Starts a child of a running program and records a step at the program's index, in one commit. A
// repeat finds the step and starts nothing.
#pragma once

#include <variant>

#include "operations/lifecycle/start.h"
#include "operations/steps/record_step.h"

namespace holdfast::op {

struct ChildStarted {
    InstanceId child;
    Moment at;
};

struct StartChild {
    static constexpr std::string_view name = "startChild";
    using Outcome = std::variant<ChildStarted, AlreadyRecorded, Diverged, Overtaken,
                                 UnknownDefinition, Ended, NotFound, Quarantined>;

    Cause cause;  // the operation's id becomes the child's id
    InstanceId instance;
    Run run;
    std::string step_name;
    Digest input_hash;
    std::string definition;
    BusinessReference business;
    Document arguments;     // recorded at index 0 of its journal
    bool detached = false;  // true: not cancelled with its parent

    InstanceId child() const { return {cause.operation.value}; }
};

void reads(const StartChild& op, ReadSet& reads);
StartChild::Outcome decide(const StartChild& op, View& view);
boost::json::object to_json(const StartChild& op);
boost::json::object to_json(const ChildStarted& outcome);

}  // namespace holdfast::op
