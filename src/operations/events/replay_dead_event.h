// Sends a dead event again under its old id, to one instance or as a broadcast (001.9).
#pragma once

#include <variant>

#include "operations/events/remove_dead_event.h"
#include "operations/events/send_event.h"

namespace holdfast::op {

struct ReplayDeadEvent {
    static constexpr std::string_view name = "replayDeadEvent";
    // It stays dead unless it is delivered or queued.
    using Outcome = std::variant<Delivered, Queued, Terminated, TooManyQueued, NoDeadEvent,
                                 NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    EventId event;
    std::optional<InstanceId> target;  // absent: a broadcast
    std::size_t queue_limit = 10'000;
};

void reads(const ReplayDeadEvent& op, ReadSet& reads);
ReplayDeadEvent::Outcome decide(const ReplayDeadEvent& op, View& view);
boost::json::object to_json(const ReplayDeadEvent& op);
// Of a delivered or queued one.
Result<ReplayDeadEvent::Outcome> replayed_from_json(const boost::json::value& value);

}  // namespace holdfast::op
