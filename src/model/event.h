// Events: named values from outside, sent to one instance or to any instance that waits for the
// name.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/channel.h"
#include "model/instance.h"

namespace holdfast {

using EventId = Id<struct EventTag>;

// What happens to a targeted event whose target has ended.
enum class OnTargetEnded { discard, broadcast, dead_letter };
// A broadcast goes to the oldest wait, or to every wait that is registered now, or to the only
// wait: then with none or several it is refused.
enum class FanOut { one, all, exactly_one };
// A kept event stays queued for other instances after a delivery, until it expires.
enum class Keep { no, yes };

// Why a queued event is not delivered yet.
enum class Hold {
    none,
    until_due,  // that is at its accepted_at
    for_all,    // its signal takes it to every wait once it is due, nothing else does
};

std::string_view name_of(OnTargetEnded policy);
std::optional<OnTargetEnded> parse_on_target_ended(std::string_view text);
std::string_view name_of(FanOut fan_out);
std::optional<FanOut> parse_fan_out(std::string_view text);
std::string_view name_of(Hold hold);
std::optional<Hold> parse_hold(std::string_view text);

struct Event {
    EventId id;
    std::string name;
    std::optional<InstanceId> target;  // absent: a broadcast
    Document value;                    // any JSON value
    OnTargetEnded on_target_ended = OnTargetEnded::discard;
    Keep keep = Keep::no;
    Moment accepted_at;  // of a delayed event: when it is due
    std::optional<Moment> expires_at;
    OperationId operation;    // orders events that were accepted at the same time
    std::string correlation;  // empty: none
    std::string tenant = "default";
    Hold hold = Hold::none;  // of a delayed event

    EventKey key() const { return {name, correlation}; }
    ChannelKey channel() const { return {tenant, key()}; }
    bool operator==(const Event&) const = default;
};

// First accepted, first delivered (I4).
using Arrival = std::pair<Moment, OperationId>;
inline Arrival arrival_of(const Event& event) { return {event.accepted_at, event.operation}; }
inline bool is_expired(const Event& event, Moment now) {
    return event.expires_at && *event.expires_at <= now;
}

inline bool is_held(const Event& event, Moment now) {
    return event.hold == Hold::for_all ||
           (event.hold == Hold::until_due && event.accepted_at > now);
}

enum class EventFate {
    queued,
    scheduled,
    delivered,
    fanned_out,  // to many: each receiver has its own `delivered`
    expired,
    dead,
    discarded,
    cancelled,
};

std::string_view name_of(EventFate fate);
// Whether only the engine may send events of this name (I51): those of human tasks, and what
// processes tell their own activities.
bool is_engine_name(std::string_view event_name);
bool is_task_name(std::string_view event_name);
bool is_job_name(std::string_view event_name);

std::optional<EventFate> parse_event_fate(std::string_view text);

// What happened to an event that is no longer queued. A kept or fanned-out event has one row per
// instance.
struct FateRow {
    EventId event;
    std::string name;
    EventFate fate = EventFate::delivered;
    std::optional<InstanceId> instance;  // that received it
    std::uint64_t index = 0;             // of the wait that it ended
    Moment at;
    std::string tenant = "default";

    bool operator==(const FateRow&) const = default;
};

// An event whose target ended before delivery, kept for inspection (001.9).
struct DeadEvent {
    Event event;
    Status target_status = Status::succeeded;
    Moment ended_at;

    bool operator==(const DeadEvent&) const = default;
};

// Everything stored about one event.
struct KnownEvent {
    std::optional<Event> queued;
    std::optional<DeadEvent> dead;
    std::vector<FateRow> fates;

    bool empty() const { return !queued && !dead && fates.empty(); }
    // Null: it is empty.
    const std::string* tenant() const {
        if (queued) return &queued->tenant;
        if (dead) return &dead->event.tenant;
        return fates.empty() ? nullptr : &fates.front().tenant;
    }
};

}  // namespace holdfast
