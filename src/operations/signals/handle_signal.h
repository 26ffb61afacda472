// Handles a claimed signal that ends a wait and removes it from the queue, in one commit (I9). A
// late or repeated signal is only removed (I18, I19).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

// It ended a wait, or its event was queued for the instance.
struct Handled {
    static constexpr std::string_view name = "handled";

    bool woken = false;

    static void describe(auto& outcome, auto& with) { with("woken", outcome.woken); }
};
// Its wait is over, it was handled before, or its instance has ended: it was only removed.
struct StaleSignal {
    static constexpr std::string_view name = "staleSignal";
};
// The lease expired or another node holds it: nothing changed.
struct LeaseLost {
    static constexpr std::string_view name = "leaseLost";
};
// The signal is unusable; it is a dead letter now.
struct Buried {
    static constexpr std::string_view name = "buried";

    DeadLetterReason reason;

    static void describe(auto& outcome, auto& with) { with("reason", outcome.reason); }
};

struct HandleSignal {
    static constexpr std::string_view name = "handleSignal";
    using Outcome = std::variant<Handled, StaleSignal, LeaseLost, Buried>;

    Cause cause;
    InstanceId instance;
    SignalId signal;
    Lease lease;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("signal", op.signal);
        with("lease", op.lease);
    }
};

void reads(const HandleSignal& op, ReadSet& reads);
HandleSignal::Outcome decide(const HandleSignal& op, View& view);

// The queued signal, if the caller holds its lease and the lease is valid.
std::optional<SignalRow> leased_signal(const View& view, const SignalId& id, const Lease& lease);

}  // namespace holdfast::op
