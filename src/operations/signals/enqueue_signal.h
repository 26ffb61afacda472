// Puts a signal into the queue, or on the schedule if it is not due yet. A repeated id changes
// nothing, however much later it comes (I18).
#pragma once

#include <chrono>
#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Enqueued {
    static constexpr std::string_view name = "enqueued";

    SignalId signal;

    static void describe(auto& outcome, auto& with) { with("signal", outcome.signal); }
};
// This id was enqueued before, whatever happened to the signal since.
struct SignalRepeated {
    static constexpr std::string_view name = "repeated";

    SignalId signal;

    static void describe(auto& outcome, auto& with) { with("signal", outcome.signal); }
};
struct SignalTooLong {
    static constexpr std::string_view name = "tooLong";

    std::size_t limit;

    static void describe(auto& outcome, auto& with) { with("limit", outcome.limit); }
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

    static void describe(auto& op, auto& with) {
        with("signal", op.signal);
        with("instance", op.instance);
        with("type", op.type);
        with("token", op.token);
        with("payload", op.payload);
        with("afterMicroseconds", op.after);
    }
};

void reads(const EnqueueSignal& op, ReadSet& reads);
EnqueueSignal::Outcome decide(const EnqueueSignal& op, View& view);

}  // namespace holdfast::op
