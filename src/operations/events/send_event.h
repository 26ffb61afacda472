// Sends an event: to one instance, to the oldest wait for its name, or to every wait (001.4, 001.5,
// 001.8).
#pragma once

#include <limits>
#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Delivered {
    static constexpr std::string_view name = "delivered";

    EventId event;
    InstanceId to;
    std::uint64_t index = 0;

    static void describe(auto& outcome, auto& with) {
        with("event", outcome.event);
        with("to", outcome.to);
        with("index", outcome.index);
    }
};
struct Queued {
    static constexpr std::string_view name = "queued";

    EventId event;

    static void describe(auto& outcome, auto& with) { with("event", outcome.event); }
};
// It is sent when it is due, until then it can be cancelled (001.22).
struct Scheduled {
    static constexpr std::string_view name = "scheduled";

    EventId event;
    Moment due;

    static void describe(auto& outcome, auto& with) {
        with("event", outcome.event);
        with("due", outcome.due);
    }
};
struct FannedOut {
    static constexpr std::string_view name = "fannedOut";

    EventId event;
    std::vector<InstanceId> to;
    bool on_the_way = false;  // each receiver gets it by a signal; `to` are those that have it

    static void describe(auto& outcome, auto& with) {
        with("event", outcome.event);
        with("to", outcome.to);
        with.later("onTheWay", outcome.on_the_way);
    }
};
struct Terminated {
    static constexpr std::string_view name = "terminated";

    Status status;

    static void describe(auto& outcome, auto& with) { with("status", outcome.status); }
};
// An event for exactly one wait has none, or several: it was not sent.
struct NotExactlyOne {
    static constexpr std::string_view name = "notExactlyOne";

    std::size_t waits = 0;  // at least

    static void describe(auto& outcome, auto& with) { with("waits", outcome.waits); }
};
enum class QueueUnit { events, bytes };
inline std::string_view name_of(QueueUnit unit) {
    return unit == QueueUnit::events ? "events" : "bytes";
}
struct TooManyQueued {
    static constexpr std::string_view name = "tooManyQueued";

    std::size_t limit;
    QueueUnit unit = QueueUnit::events;

    static void describe(auto& outcome, auto& with) {
        with("limit", outcome.limit);
        with.later("unit", outcome.unit);
    }
};

// How much may be queued for a target, or on a channel.
struct QueueLimits {
    std::size_t events = 10'000;
    std::size_t bytes = std::size_t{64} << 20;  // of their values
};
// The id belongs to an event with another name, correlation key, target or value, as far as those
// are still stored.
struct IdTaken {
    static constexpr std::string_view name = "idTaken";

    EventId event;

    static void describe(auto& outcome, auto& with) { with("event", outcome.event); }
};

struct SendEvent {
    static constexpr std::string_view name = "sendEvent";
    using Outcome = std::variant<Delivered, Queued, Scheduled, FannedOut, Terminated, TooManyQueued,
                                 IdTaken, NotFound, Quarantined, NotExactlyOne>;

    Cause cause;
    EventId event;  // a repeat with the same id changes nothing
    std::string event_name;
    std::string correlation;           // empty: none
    std::optional<InstanceId> target;  // absent: a broadcast
    Document value;
    std::optional<Moment> at;                               // not before; absent: now
    std::optional<std::chrono::microseconds> after;         // the same, from acceptance
    std::optional<std::chrono::microseconds> expire_after;  // from when it is due
    OnTargetEnded on_target_ended = OnTargetEnded::discard;
    FanOut fan_out = FanOut::one;
    Keep keep = Keep::no;
    std::size_t queue_limit = QueueLimits{}.events;  // per target, and per channel
    std::size_t queue_bytes = QueueLimits{}.bytes;   // likewise

    ChannelKey channel() const { return {cause.tenant(), {event_name, correlation}}; }
    std::size_t shard() const {
        return target ? shard_hash(*target) : std::hash<std::string>{}(event_name);
    }

    static void describe(auto& op, auto& with) {
        with("event", op.event);
        with("name", op.event_name);
        with.later("correlationKey", op.correlation);
        with("target", op.target);
        with("value", op.value);
        with.later("at", op.at);
        with.later("afterMicroseconds", op.after);
        with("expireAfterMicroseconds", op.expire_after);
        with("onTargetEnded", op.on_target_ended);
        with("fanOut", op.fan_out);
        with("keep", op.keep);
        with("queueLimit", op.queue_limit);
        with.later("queueBytes", op.queue_bytes);
    }
};

void reads(const SendEvent& op, ReadSet& reads);
SendEvent::Outcome decide(const SendEvent& op, View& view);

// For what was accepted before.
inline constexpr QueueLimits no_limits{std::numeric_limits<std::size_t>::max(),
                                       std::numeric_limits<std::size_t>::max()};

// Where an event for one receiver goes: to a wait, into the queue, or nowhere.
using Route = std::variant<Delivered, Queued, Terminated, TooManyQueued, NotFound, Quarantined>;
// Names the reads that `route` needs.
void read_route(ReadSet& reads, const ChannelKey& channel, const std::optional<InstanceId>& target);
// Why an instance takes no events. Absent: it does.
std::optional<Route> refusal_of(View& view, const InstanceId& target);
// Changes nothing unless the event is delivered or queued.
Route route(View& view, const Event& event, const QueueLimits& limits, const Cause& cause);

}  // namespace holdfast::op
