// Persists the quarantine flag of an instance that a reader saw fail its checksum (002.1).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Sound {
    static constexpr std::string_view name = "sound";
};

struct Quarantine {
    static constexpr std::string_view name = "quarantine";
    using Outcome = std::variant<Quarantined, Sound, NotFound>;

    Cause cause;
    InstanceId instance;

    static void describe(auto& op, auto& with) { with("instance", op.instance); }
};

void reads(const Quarantine& op, ReadSet& reads);
Quarantine::Outcome decide(const Quarantine& op, View& view);

}  // namespace holdfast::op
