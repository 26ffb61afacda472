// Reads a whole normalised instance, ordered with the writes.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Found {
    Instance instance;
};

struct Read {
    static constexpr std::string_view name = "read";
    using Outcome = std::variant<Found, NotFound>;

    Cause cause;
    InstanceId instance;
};

void reads(const Read& op, ReadSet& reads);
Read::Outcome decide(const Read& op, View& view);
boost::json::object to_json(const Read& op);
boost::json::object to_json(const Found& outcome);

}  // namespace holdfast::op
