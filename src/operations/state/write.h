// Stores a whole normalised instance, children and all, under an expected version (000.1 to 000.5).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Written {
    Version version;
};
struct InconsistentState {
    std::optional<Version> stored;    // absent: no such instance
    std::optional<Version> expected;  // absent: the caller expected no instance
};

struct Write {
    static constexpr std::string_view name = "write";
    using Outcome = std::variant<Written, InconsistentState, Quarantined>;

    Cause cause;
    Instance instance;  // its version, rev and history hash are ignored
    std::optional<Version> expected;
};

void reads(const Write& op, ReadSet& reads);
Write::Outcome decide(const Write& op, View& view);
boost::json::object to_json(const Write& op);
boost::json::object to_json(const Written& outcome);
boost::json::object to_json(const InconsistentState& outcome);

}  // namespace holdfast::op
