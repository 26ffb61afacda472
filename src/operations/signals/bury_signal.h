// Moves a claimed signal to the dead letters, byte for byte (I41). Its instance gets an incident;
// one whose continuation was moved does not run until the dead letter is redriven.
#pragma once

#include <variant>

#include "operations/signals/handle_signal.h"

namespace holdfast::op {

// It is a dead letter that keeps its place in the queue; its instance has an incident.
struct Held {
    static constexpr std::string_view name = "held";
};

struct BurySignal {
    static constexpr std::string_view name = "burySignal";
    using Outcome = std::variant<Buried, Held, LeaseLost>;

    Cause cause;
    InstanceId instance;
    SignalId signal;
    Lease lease;
    DeadLetterReason reason = DeadLetterReason::too_many_attempts;
    std::string detail;
    bool hold = false;  // true: later signals of the instance wait behind it

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("signal", op.signal);
        with("lease", op.lease);
        with("reason", op.reason);
        with("detail", op.detail);
        with("hold", op.hold);
    }
};

void reads(const BurySignal& op, ReadSet& reads);
BurySignal::Outcome decide(const BurySignal& op, View& view);

// The move itself, for operations that find a signal unusable.
Buried bury(View& view, const SignalRow& row, DeadLetterReason reason, std::string detail,
            const Cause& cause);

}  // namespace holdfast::op
