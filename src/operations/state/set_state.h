// A program changes its instance's state document by a merge patch, recorded at its index, in one
// commit.
#pragma once

#include <variant>

#include "operations/steps/record_step.h"

namespace holdfast::op {

struct StateSet {
    Version version = 0;
    Moment at;
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
};

void reads(const SetState& op, ReadSet& reads);
SetState::Outcome decide(const SetState& op, View& view);
boost::json::object to_json(const SetState& op);
boost::json::object to_json(const StateSet& outcome);

}  // namespace holdfast::op
