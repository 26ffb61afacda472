// Looks again at an instance after a crash: what its wait should have met is delivered now, a
// winner that never woke it does (001.15). Harmless for an instance that is in order.
#pragma once

#include <variant>

#include "operations/events/deliver.h"
#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct InOrder {};
// A condition had won and the instance still slept: it runs again.
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
Decision<Recover> decide(const Recover& op, View& view);
boost::json::object to_json(const Recover& op);
boost::json::object to_json(const InOrder& outcome);
boost::json::object to_json(const Repaired& outcome);

}  // namespace holdfast::op
