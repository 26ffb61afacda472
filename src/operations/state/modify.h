// Changes a running process by hand: its variables, and where its tokens are. All steps or none.
#pragma once

#include <variant>
#include <vector>

#include "model/modification.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct ModifyDone {
    static constexpr std::string_view name = "modified";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};
// A step cannot be done: nothing changed.
struct ModifyRefused {
    static constexpr std::string_view name = "refused";

    std::string why;

    static void describe(auto& outcome, auto& with) { with("why", outcome.why); }
};

struct Modify {
    static constexpr std::string_view name = "modify";
    using Outcome = std::variant<ModifyDone, ModifyRefused, Stale, NotFound, Ended, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;  // absent: any version
    std::vector<Modification> steps;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("steps", op.steps);
    }
};

void reads(const Modify& op, ReadSet& reads);
Modify::Outcome decide(const Modify& op, View& view);

}  // namespace holdfast::op
