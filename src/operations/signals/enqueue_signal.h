// Puts a signal into the queue, or on the schedule if it is not due yet. A repeated id changes
// nothing, however much later it comes (I18).
#pragma once

#include <chrono>
#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Enqueued {
    SignalId signal;
};
// This id was enqueued before, whatever happened to the signal since.
struct SignalRepeated {
    SignalId signal;
};
struct SignalTooLong {
    std::size_t limit;
};

struct EnqueueSignal {
    static constexpr std::string_view name = "enqueueSignal";
    using Outcome = std::variant<Enqueued, SignalRepeated, SignalTooLong, Ended, NotFound>;

    Cause cause;
    SignalId signal;
    InstanceId instance;
    SignalType type = SignalType::external_signal;
    std::optional<TokenId> token;
    // Of an ExternalSignal: {"event": id, "name": ..., "value": ...}.
    Document payload;
    std::optional<std::chrono::microseconds> after;  // from acceptance; absent: due at once
};

void reads(const EnqueueSignal& op, ReadSet& reads);
EnqueueSignal::Outcome decide(const EnqueueSignal& op, View& view);
boost::json::object to_json(const EnqueueSignal& op);
boost::json::object to_json(const Enqueued& outcome);
boost::json::object to_json(const SignalRepeated& outcome);
boost::json::object to_json(const SignalTooLong& outcome);

}  // namespace holdfast::op
