// Resumes a paused instance: delivers what was queued meanwhile, else registers its wait again.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Resumed {
    Version version = 0;
};

struct Resume {
    static constexpr std::string_view name = "resume";
    using Outcome = std::variant<Resumed, Stale, Ended, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;
};

void reads(const Resume& op, ReadSet& reads);
Resume::Outcome decide(const Resume& op, View& view);
boost::json::object to_json(const Resume& op);
boost::json::object to_json(const Resumed& outcome);
Result<Resumed> resumed_from_json(const boost::json::value& value);

}  // namespace holdfast::op
