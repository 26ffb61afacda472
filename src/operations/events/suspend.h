// Suspends an instance unless a condition that it waits for is already met (001.3).
#pragma once

#include <chrono>
#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

// What ended a wait that was recorded in the journal.
struct Woken {
    static constexpr std::string_view name = "delivered";

    Winner winner;
    Document value;
    Moment at;

    static void describe(auto& outcome, auto& with) {
        with("index", outcome.winner.index);
        with("type", outcome.winner.type);
        with("name", outcome.winner.name);
        with("value", outcome.value);
    }
};
struct Asleep {
    static constexpr std::string_view name = "suspended";

    TokenId token;

    static void describe(auto& outcome, auto& with) { with("token", outcome.token); }
};
struct UnknownWorkflow {
    static constexpr std::string_view name = "unknownWorkflow";

    InstanceId id;

    static void describe(auto& outcome, auto& with) { with("workflow", outcome.id); }
};

struct Suspend {
    static constexpr std::string_view name = "suspend";
    using Outcome =
        std::variant<Asleep, Woken, Overtaken, UnknownWorkflow, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Wait wait;
    // Sets the wait's timer, counted from acceptance by the store's clock. A repeat keeps the first
    // timer, so that a runner that comes back does not postpone it.
    std::optional<std::chrono::microseconds> after;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("wait", op.wait);
        with("afterMicroseconds", op.after);
    }
};

void reads(const Suspend& op, ReadSet& reads);
Suspend::Outcome decide(const Suspend& op, View& view);

}  // namespace holdfast::op
