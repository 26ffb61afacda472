// Puts a dead letter back into the queue, under the same signal id (004.7).
#pragma once

#include <variant>

#include "operations/refusals.h"

namespace holdfast::op {

struct Redriven {
    SignalId signal;
    InstanceId instance;
};

struct RedriveDeadLetter {
    static constexpr std::string_view name = "redriveDeadLetter";
    using Outcome = std::variant<Redriven, Ended, NotFound>;

    Cause cause;
    std::optional<ClientKey> client_key;
    SignalId signal;
};

void reads(const RedriveDeadLetter& op, ReadSet& reads);
RedriveDeadLetter::Outcome decide(const RedriveDeadLetter& op, View& view);
boost::json::object to_json(const RedriveDeadLetter& op);
boost::json::object to_json(const Redriven& outcome);
Result<Redriven> redriven_from_json(const boost::json::value& value);

}  // namespace holdfast::op
