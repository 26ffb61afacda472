// Moves a claimed signal to the dead letters, byte for byte (I41). Its instance gets an incident;
// one whose continuation was moved does not run until the dead letter is redriven.
#pragma once

#include <variant>

#include "operations/signals/handle_signal.h"

namespace holdfast::op {

// The signal stays in the queue; its instance has an incident.
struct Held {};

struct BurySignal {
    static constexpr std::string_view name = "burySignal";
    using Outcome = std::variant<Buried, Held, LeaseLost>;

    Cause cause;
    InstanceId instance;
    SignalId signal;
    Lease lease;
    DeadLetterReason reason = DeadLetterReason::too_many_attempts;
    std::string detail;
    bool hold = false;  // true: the instance gets an incident, the signal stays
};

void reads(const BurySignal& op, ReadSet& reads);
BurySignal::Outcome decide(const BurySignal& op, View& view);
boost::json::object to_json(const BurySignal& op);
boost::json::object to_json(const Held& outcome);

// The move itself, for operations that find a signal unusable.
Buried bury(View& view, const SignalRow& row, DeadLetterReason reason, std::string detail,
            const Cause& cause);

}  // namespace holdfast::op
