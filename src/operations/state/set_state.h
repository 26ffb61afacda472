// A program changes its instance's state document by a merge patch, recorded at its index, in one
// commit.
#pragma once

#include <variant>

#include "operations/steps/record_step.h"

namespace holdfast::op {

struct StateSet {
    static constexpr std::string_view name = "stateSet";

    Version version = 0;
    Moment at;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};

struct SetState {
    static constexpr std::string_view name = "setState";
    using Outcome = std::variant<StateSet, AlreadyRecorded, Diverged, InvalidState, Overtaken,
                                 Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    std::string step_name;
    Digest input_hash;
    Document patch;  // RFC 7396

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("name", op.step_name);
        with("inputHash", op.input_hash);
        with("patch", op.patch);
    }
};

void reads(const SetState& op, ReadSet& reads);
SetState::Outcome decide(const SetState& op, View& view);

}  // namespace holdfast::op
