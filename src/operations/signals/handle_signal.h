// Handles a claimed signal that ends a wait and removes it from the queue, in one commit (I9). A
// late or repeated signal is only removed (I18, I19).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

// It ended a wait, or its event was queued for the instance.
struct Handled {
    bool woken = false;
};
// Its wait is over, it was handled before, or its instance has ended: it was only removed.
struct StaleSignal {};
// The lease expired or another node holds it: nothing changed.
struct LeaseLost {};
// The signal is unusable; it is a dead letter now.
struct Buried {
    DeadLetterReason reason;
};

struct HandleSignal {
    static constexpr std::string_view name = "handleSignal";
    using Outcome = std::variant<Handled, StaleSignal, LeaseLost, Buried>;

    Cause cause;
    InstanceId instance;
    SignalId signal;
    Lease lease;
};

void reads(const HandleSignal& op, ReadSet& reads);
HandleSignal::Outcome decide(const HandleSignal& op, View& view);
boost::json::object to_json(const HandleSignal& op);
boost::json::object to_json(const Handled& outcome);
boost::json::object to_json(const StaleSignal& outcome);
boost::json::object to_json(const LeaseLost& outcome);
boost::json::object to_json(const Buried& outcome);

// The queued signal, if the caller holds its lease and the lease is valid.
std::optional<SignalRow> leased_signal(const View& view, const SignalId& id, const Lease& lease);

}  // namespace holdfast::op
