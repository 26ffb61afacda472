// What a schedule does and when, as its state says it, and when it is due.
#pragma once

#include <chrono>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "bpmn/timer/schedule.h"
#include "model/event.h"
#include "model/schema/state_schema.h"

namespace holdfast::schedule {

// What happens to a firing while the workflow of the one before still runs.
enum class Overlap {
    skip,    // it is left out
    queue,   // it starts when the one before has ended
    cancel,  // the one before is cancelled
    allow,   // it starts, and nobody waits for its end
};
std::string_view name_of(Overlap overlap);
std::optional<Overlap> parse_overlap(std::string_view text);

struct StartAction {
    std::string definition;
    Document arguments;
    std::string business_key;  // empty: none
};
struct SendAction {
    std::string event;
    Document value;
    std::string correlation;           // empty: none
    std::optional<InstanceId> target;  // absent: a broadcast
    FanOut fan_out = FanOut::one;
};

struct Spec {
    bpmn::Schedule when;  // a cron text, or a cycle without bounds
    std::optional<Moment> from;
    std::optional<Moment> until;  // the last time that may be due
    std::variant<StartAction, SendAction> action;
    Overlap overlap = Overlap::skip;
    // What was due longer ago, because nothing ran or it was paused, is missed.
    std::chrono::microseconds catch_up = std::chrono::hours(1);
    std::chrono::microseconds jitter{0};
};

inline constexpr std::chrono::seconds least_catch_up{10};

// The violation names the member that is wrong.
std::expected<Spec, SchemaViolation> read_spec(const boost::json::value& value);

// The first due time after `time`; absent: never again. Intervals count from `anchor`, unless the
// schedule says from when.
std::optional<Moment> due_after(const Spec& spec, Moment anchor, Moment time);

// What is due happens this much later: by a hash, so that every node and every run agrees.
std::chrono::microseconds jitter_of(const Spec& spec, const InstanceId& schedule, Moment due);

// `${due}` in texts of the value is the due time.
boost::json::value filled_in(const boost::json::value& value, Moment due);
std::string filled_in(std::string text, Moment due);

}  // namespace holdfast::schedule
