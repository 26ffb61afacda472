// Ends an instance as failed, with its error.
#pragma once

#include <variant>

#include "operations/lifecycle/finish.h"

namespace holdfast::op {

struct Failed {
    static constexpr std::string_view name = "failed";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};

struct Fail {
    static constexpr std::string_view name = "fail";
    using Outcome = std::variant<Failed, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    std::string code;
    Document error;          // details
    bool cancelled = false;  // true: the rollback of a cancelled program is complete

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("code", op.code);
        with("error", op.error);
        with.later("cancelled", op.cancelled);
    }
};

void reads(const Fail& op, ReadSet& reads);
Fail::Outcome decide(const Fail& op, View& view);

}  // namespace holdfast::op
