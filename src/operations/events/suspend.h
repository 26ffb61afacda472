// Puts an instance to sleep unless something that it waits for is already there (001.3).
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
    // one, so that a runner that comes back does not put its timer off.
    std::optional<std::chrono::microseconds> after;
};

void reads(const Suspend& op, ReadSet& reads);
Decision<Suspend> decide(const Suspend& op, View& view);
boost::json::object to_json(const Suspend& op);
boost::json::object to_json(const Asleep& outcome);
boost::json::object to_json(const UnknownWorkflow& outcome);

// The wait of a sleeping instance can be met from here on, also by operations of this round.
void register_wait(View& view, const Instance& instance);

// For an instance whose wait was held back or is in doubt: whether all that the wait needs to see
// was read. Ask before anything changes.
std::expected<void, LoadMore> can_wait_on(const View& view, const InstanceId& id);
// Takes what is there by now, else lets the wait stand (again). Absent: nothing was there.
std::optional<Woken> wait_on(View& view, const InstanceId& id, const Cause& cause);

}  // namespace holdfast::op
