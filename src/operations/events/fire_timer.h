// Fires a due timer: wakes its instance if the wait that set it is current (I19, I24 to I26).
#pragma once

#include <variant>

#include "operations/events/deliver.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Fired {
    std::uint64_t index = 0;
    Moment due;
    Moment reached;
};
// Another wait, no wait, a paused instance, or not due yet: nothing changed.
struct StaleTimer {};

struct FireTimer {
    static constexpr std::string_view name = "fireTimer";
    using Outcome = std::variant<Fired, StaleTimer>;

    Cause cause;
    InstanceId instance;
    TokenId token;
};

void reads(const FireTimer& op, ReadSet& reads);
FireTimer::Outcome decide(const FireTimer& op, View& view);
boost::json::object to_json(const FireTimer& op);
boost::json::object to_json(const Fired& outcome);
boost::json::object to_json(const StaleTimer& outcome);

}  // namespace holdfast::op
