// Pauses an instance: events and timers queue up in order until it is resumed (001.10).
#pragma once

#include <variant>

#include "operations/refusals.h"

namespace holdfast::op {

struct Paused {
    static constexpr std::string_view name = "paused";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};

struct Pause {
    static constexpr std::string_view name = "pause";
    using Outcome = std::variant<Paused, Stale, Ended, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;
    std::string reason{};

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with.later("reason", op.reason);
    }
};

void reads(const Pause& op, ReadSet& reads);
Pause::Outcome decide(const Pause& op, View& view);

}  // namespace holdfast::op
