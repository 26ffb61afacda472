// Postpones the retry of a failed step: records the attempt and suspends the instance until the
// next one. The backoff is a durable timer, not a thread (001.12).
#pragma once

#include <chrono>
#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct PutOffUntil {
    static constexpr std::string_view name = "putOff";

    TokenId token;
    Moment until;

    static void describe(auto& outcome, auto& with) {
        with("token", outcome.token);
        with("until", outcome.until);
    }
};

struct PutOff {
    static constexpr std::string_view name = "putOff";
    using Outcome = std::variant<PutOffUntil, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Document error;                      // of the attempt
    std::chrono::microseconds pause{0};  // from acceptance

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("run", op.run);
        with("error", op.error);
        with("pauseMicroseconds", op.pause);
    }
};

void reads(const PutOff& op, ReadSet& reads);
PutOff::Outcome decide(const PutOff& op, View& view);

}  // namespace holdfast::op
