// Deletes an instance and everything that belongs to it, but not its history (000.4). Who waits for
// its end is told; the open children of an open instance are cancelled.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Cleared {
    static constexpr std::string_view name = "cleared";

    Version version;  // of the last history row; a new instance under this id continues from it

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};
struct NothingToClear {
    static constexpr std::string_view name = "nothingToClear";
};

struct Clear {
    static constexpr std::string_view name = "clear";
    using Outcome = std::variant<Cleared, NothingToClear, Stale, Quarantined>;

    Cause cause;
    InstanceId instance;
    std::optional<Version> expected;  // absent: any version

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
    }
};

void reads(const Clear& op, ReadSet& reads);
Clear::Outcome decide(const Clear& op, View& view);

}  // namespace holdfast::op
