// Removes the timer from an instance's wait; its other conditions stay. The wait gets a new token,
// so that a timer that is already firing is stale.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct TimersCancelled {
    static constexpr std::string_view name = "timersCancelled";

    std::size_t count = 0;
    Version version = 0;

    static void describe(auto& outcome, auto& with) {
        with("count", outcome.count);
        with("version", outcome.version);
    }
};

struct CancelTimers {
    static constexpr std::string_view name = "cancelTimers";
    using Outcome = std::variant<TimersCancelled, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;

    static void describe(auto& op, auto& with) { with("instance", op.instance); }
};

void reads(const CancelTimers& op, ReadSet& reads);
CancelTimers::Outcome decide(const CancelTimers& op, View& view);

}  // namespace holdfast::op
