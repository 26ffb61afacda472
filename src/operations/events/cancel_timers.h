// Removes the timer from an instance's wait; its other conditions stay. The wait gets a new token,
// so that a timer that is already firing is stale.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct TimersCancelled {
    std::size_t count = 0;
    Version version = 0;
};

struct CancelTimers {
    static constexpr std::string_view name = "cancelTimers";
    using Outcome = std::variant<TimersCancelled, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
};

void reads(const CancelTimers& op, ReadSet& reads);
CancelTimers::Outcome decide(const CancelTimers& op, View& view);
boost::json::object to_json(const CancelTimers& op);
boost::json::object to_json(const TimersCancelled& outcome);

}  // namespace holdfast::op
