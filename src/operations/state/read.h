// Reads a whole normalised instance, ordered with the writes.
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Found {
    static constexpr std::string_view name = "found";

    Instance instance;

    static void describe(auto& outcome, auto& with) { with("instance", whole(outcome.instance)); }
};

struct Read {
    static constexpr std::string_view name = "read";
    using Outcome = std::variant<Found, NotFound>;

    Cause cause;
    InstanceId instance;

    static void describe(auto& op, auto& with) { with("instance", op.instance); }
};

void reads(const Read& op, ReadSet& reads);
Read::Outcome decide(const Read& op, View& view);

}  // namespace holdfast::op
