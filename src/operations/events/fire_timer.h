// Fires a due timer: wakes its instance if the wait that set it is current (I19, I24 to I26).
#pragma once

#include <variant>

#include "operations/events/deliver.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Fired {
    static constexpr std::string_view name = "fired";

    std::uint64_t index = 0;
    Moment due;
    Moment reached;

    static void describe(auto& outcome, auto& with) {
        with("index", outcome.index);
        with("due", outcome.due);
        with("reached", outcome.reached);
    }
};
// Another wait, no wait, a paused instance, or not due yet: nothing changed.
struct StaleTimer {
    static constexpr std::string_view name = "stale";
};

struct FireTimer {
    static constexpr std::string_view name = "fireTimer";
    using Outcome = std::variant<Fired, StaleTimer>;

    Cause cause;
    InstanceId instance;
    TokenId token;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("token", op.token);
    }
};

void reads(const FireTimer& op, ReadSet& reads);
FireTimer::Outcome decide(const FireTimer& op, View& view);

}  // namespace holdfast::op
