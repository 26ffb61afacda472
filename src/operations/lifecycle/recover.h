// Repairs the wait of an instance after a crash: a condition that is met is delivered, and a
// recorded winner wakes the instance (001.15). Changes nothing on a consistent instance.
#pragma once

#include <variant>

#include "operations/events/deliver.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct InOrder {
    static constexpr std::string_view name = "inOrder";
};
// A condition was met: it is delivered.
struct CaughtUp {
    static constexpr std::string_view name = "caughtUp";
};
// A winner was recorded but the instance still waited: it runs again.
struct Repaired {
    static constexpr std::string_view name = "repaired";

    std::uint64_t index = 0;

    static void describe(auto& outcome, auto& with) { with("index", outcome.index); }
};

struct Recover {
    static constexpr std::string_view name = "recover";
    using Outcome = std::variant<InOrder, CaughtUp, Repaired, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;

    static void describe(auto& op, auto& with) { with("instance", op.instance); }
};

void reads(const Recover& op, ReadSet& reads);
Recover::Outcome decide(const Recover& op, View& view);

}  // namespace holdfast::op
