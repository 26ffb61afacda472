// Sends an event: to one instance, to the oldest wait for its name, or to every wait (001.4, 001.5,
// 001.8).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Delivered {
    EventId event;
    InstanceId to;
    std::uint64_t index = 0;
};
struct Queued {
    EventId event;
};
struct FannedOut {
    EventId event;
    std::vector<InstanceId> to;
};
struct Terminated {
    Status status;
};
struct TooManyQueued {
    std::size_t limit;
};
// The id belongs to an event with another name, target or value, as far as those are still stored.
struct IdTaken {
    EventId event;
};

struct SendEvent {
    static constexpr std::string_view name = "sendEvent";
    using Outcome = std::variant<Delivered, Queued, FannedOut, Terminated, TooManyQueued, IdTaken,
                                 NotFound, Quarantined>;

    Cause cause;
    EventId event;  // a repeat with the same id changes nothing
    std::string event_name;
    std::optional<InstanceId> target;  // absent: a broadcast
    Document value;
    std::optional<std::chrono::microseconds> expire_after;
    OnTargetEnded on_target_ended = OnTargetEnded::discard;
    FanOut fan_out = FanOut::one;
    Keep keep = Keep::no;
    std::size_t queue_limit = 10'000;  // per target, and per name
};

void reads(const SendEvent& op, ReadSet& reads);
SendEvent::Outcome decide(const SendEvent& op, View& view);
boost::json::object to_json(const SendEvent& op);
boost::json::object to_json(const Delivered& outcome);
boost::json::object to_json(const Queued& outcome);
boost::json::object to_json(const FannedOut& outcome);
boost::json::object to_json(const Terminated& outcome);
boost::json::object to_json(const TooManyQueued& outcome);
boost::json::object to_json(const IdTaken& outcome);

// Where an event for one receiver goes: to a wait, into the queue, or nowhere.
using Route = std::variant<Delivered, Queued, Terminated, TooManyQueued, NotFound, Quarantined>;
// Names the reads that `route` needs.
void read_route(ReadSet& reads, const std::string& name, const std::optional<InstanceId>& target);
// Changes nothing unless the event is delivered or queued.
Route route(View& view, const Event& event, std::size_t queue_limit, const Cause& cause);

}  // namespace holdfast::op
