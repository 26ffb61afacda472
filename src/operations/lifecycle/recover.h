// Repairs the wait of an instance after a crash: a condition that is met is delivered, and a
// recorded winner wakes the instance (001.15). Changes nothing on a consistent instance.
#pragma once

#include <variant>

#include "operations/events/deliver.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct InOrder {};
// A winner was recorded but the instance still waited: it runs again.
struct Repaired {
    std::uint64_t index = 0;
};

struct Recover {
    static constexpr std::string_view name = "recover";
    using Outcome = std::variant<InOrder, Woken, Repaired, Ended, NotFound, Quarantined>;

    Cause cause;
    InstanceId instance;
};

void reads(const Recover& op, ReadSet& reads);
Recover::Outcome decide(const Recover& op, View& view);
boost::json::object to_json(const Recover& op);
boost::json::object to_json(const InOrder& outcome);
boost::json::object to_json(const Repaired& outcome);

}  // namespace holdfast::op
