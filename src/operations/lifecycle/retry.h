// Tries again now what failed: a step in its pause, or what of a process waits for a retry. A run
// that was put aside is redriven with its dead letter.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Retried {
    static constexpr std::string_view name = "retried";

    Version version = 0;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};
struct NothingToRetry {
    static constexpr std::string_view name = "nothingToRetry";

    Version version = 0;
    std::string why;

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("why", outcome.why);
    }
};

struct Retry {
    static constexpr std::string_view name = "retry";
    using Outcome = std::variant<Retried, NothingToRetry, Stale, NotFound, Ended, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;
    std::string reason;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("reason", op.reason);
    }
};

void reads(const Retry& op, ReadSet& reads);
Retry::Outcome decide(const Retry& op, View& view);

}  // namespace holdfast::op
