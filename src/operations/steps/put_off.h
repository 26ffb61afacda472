// A step of a program failed and is to be tried again: keeps what the attempt came to and lets the
// instance sleep until then. The pause is a durable timer, not a thread (001.12).
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
