// Cancels a delayed event that was not delivered yet (001.22); its fate `cancelled` is recorded.
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct EventCancelled {
    static constexpr std::string_view name = "eventCancelled";

    EventId event;

    static void describe(auto& outcome, auto& with) { with("event", outcome.event); }
};
// It was not sent with a delay, or something has happened to it already.
struct NotScheduled {
    static constexpr std::string_view name = "notScheduled";

    EventId event;

    static void describe(auto& outcome, auto& with) { with("event", outcome.event); }
};

struct CancelEvent {
    static constexpr std::string_view name = "cancelEvent";
    using Outcome = std::variant<EventCancelled, NotScheduled, NotFound>;

    Cause cause;
    EventId event;

    std::size_t shard() const { return shard_hash(event); }
    static void describe(auto& op, auto& with) { with("event", op.event); }
};

void reads(const CancelEvent& op, ReadSet& reads);
CancelEvent::Outcome decide(const CancelEvent& op, View& view);

}  // namespace holdfast::op
