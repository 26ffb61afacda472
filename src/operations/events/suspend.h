// Suspends an instance unless a condition that it waits for is already met (001.3).
#pragma once

#include <chrono>
#include <variant>

#include "operations/events/deliver.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Asleep {
    TokenId token;
};
struct UnknownWorkflow {
    InstanceId id;
};

struct Suspend {
    static constexpr std::string_view name = "suspend";
    using Outcome =
        std::variant<Asleep, Woken, Overtaken, UnknownWorkflow, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Wait wait;
    // Sets the wait's timer, counted from acceptance by the store's clock. A repeat keeps the first
    // timer, so that a runner that comes back does not postpone it.
    std::optional<std::chrono::microseconds> after;
};

void reads(const Suspend& op, ReadSet& reads);
Suspend::Outcome decide(const Suspend& op, View& view);
boost::json::object to_json(const Suspend& op);
boost::json::object to_json(const Asleep& outcome);
boost::json::object to_json(const UnknownWorkflow& outcome);

// From now on the wait of a suspended instance can be delivered to, also within this round.
void register_wait(View& view, const Instance& instance);

// For an instance whose wait was not registered or may have missed something: delivers a condition
// that is met by now, else registers the wait (again). Absent: none was met.
std::optional<Woken> wait_on(View& view, const InstanceId& id, const Cause& cause);

}  // namespace holdfast::op
