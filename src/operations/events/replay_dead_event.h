// Sends a dead event again under its old id, to one instance or as a broadcast (001.9).
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/events/remove_dead_event.h"
#include "operations/events/send_event.h"

namespace holdfast::op {

struct ReplayDeadEvent {
    static constexpr std::string_view name = "replayDeadEvent";
    // It stays dead unless it is delivered or queued.
    using Outcome = std::variant<Delivered, Queued, Terminated, TooManyQueued, NoDeadEvent,
                                 NotFound, Quarantined>;
    using Kept = std::variant<Delivered, Queued>;

    Cause cause;
    std::optional<ClientKey> client_key;
    EventId event;
    std::optional<InstanceId> target;  // absent: a broadcast
    std::size_t queue_limit = QueueLimits{}.events;
    std::size_t queue_bytes = QueueLimits{}.bytes;

    // By the event, not by the target: two replays of one dead event run in order.
    std::size_t shard() const { return shard_hash(event); }
    static void describe(auto& op, auto& with) {
        with("event", op.event);
        with("target", op.target);
        with("queueLimit", op.queue_limit);
        with.later("queueBytes", op.queue_bytes);
    }
};

void reads(const ReplayDeadEvent& op, ReadSet& reads);
ReplayDeadEvent::Outcome decide(const ReplayDeadEvent& op, View& view);

}  // namespace holdfast::op
