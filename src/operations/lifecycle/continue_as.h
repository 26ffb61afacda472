// Begins the next run of an instance: same id, empty journal, new arguments; queued events stay
// (001.13).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Continued {
    static constexpr std::string_view name = "continued";

    Run run;
    Version version = 0;

    static void describe(auto& outcome, auto& with) {
        with("run", outcome.run);
        with("version", outcome.version);
    }
};

struct ContinueAs {
    static constexpr std::string_view name = "continueAs";
    using Outcome = std::variant<Continued, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Document arguments;  // recorded at index 0 of the new journal

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("arguments", op.arguments);
    }
};

void reads(const ContinueAs& op, ReadSet& reads);
ContinueAs::Outcome decide(const ContinueAs& op, View& view);

}  // namespace holdfast::op
