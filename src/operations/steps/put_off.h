// Postpones the retry of a failed step: records the attempt and suspends the instance until the
// next one. The backoff is a durable timer, not a thread (001.12).
#pragma once

#include <chrono>
#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct PutOffUntil {
    TokenId token;
    Moment until;
};

struct PutOff {
    static constexpr std::string_view name = "putOff";
    using Outcome = std::variant<PutOffUntil, Overtaken, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
    Run run;
    Document error;                      // of the attempt
    std::chrono::microseconds pause{0};  // from acceptance
};

void reads(const PutOff& op, ReadSet& reads);
PutOff::Outcome decide(const PutOff& op, View& view);
boost::json::object to_json(const PutOff& op);
boost::json::object to_json(const PutOffUntil& outcome);

}  // namespace holdfast::op
