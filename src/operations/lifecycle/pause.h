// Pauses an instance: events and timers queue up in order until it is resumed (001.10).
#pragma once

#include <variant>

#include "operations/refusals.h"

namespace holdfast::op {

struct Paused {
    Version version = 0;
};

struct Pause {
    static constexpr std::string_view name = "pause";
    using Outcome = std::variant<Paused, Stale, Ended, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;
};

void reads(const Pause& op, ReadSet& reads);
Pause::Outcome decide(const Pause& op, View& view);
boost::json::object to_json(const Pause& op);
boost::json::object to_json(const Paused& outcome);
Result<Paused> paused_from_json(const boost::json::value& value);

}  // namespace holdfast::op
