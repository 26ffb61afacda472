// Starts a child of a running program and records a step at the program's index, in one commit. A
// repeat finds the step and starts nothing.
#pragma once

#include <variant>

#include "operations/lifecycle/start.h"
#include "operations/steps/record_step.h"
#include "program/reaction.h"

namespace holdfast::op {

struct ChildStarted {
    static constexpr std::string_view name = "childStarted";

    InstanceId child;
    Moment at;

    static void describe(auto& outcome, auto& with) { with("child", outcome.child); }
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

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("name", op.step_name);
        with("inputHash", op.input_hash);
        with("definition", op.definition);
        with("businessReference", op.business);
        with("arguments", op.arguments);
        with("detached", op.detached);
    }
};

// For a program that asks for it in its reaction, which names the reads first. Without the
// definition, the parent has an incident.
void read_child(ReadSet& reads, const std::string& tenant, const Reaction::Child& child,
                const Cause& cause);
void add_child(View& view, const InstanceId& parent, const Reaction::Child& child,
               const Cause& cause);

void reads(const StartChild& op, ReadSet& reads);
StartChild::Outcome decide(const StartChild& op, View& view);

}  // namespace holdfast::op
