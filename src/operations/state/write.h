// Stores a whole normalised instance, children and all, under an expected version (000.1 to 000.5).
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Written {
    static constexpr std::string_view name = "written";

    Version version;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};
struct InconsistentState {
    static constexpr std::string_view name = "inconsistentState";

    std::optional<Version> stored;    // absent: no such instance
    std::optional<Version> expected;  // absent: the caller expected no instance

    static void describe(auto& outcome, auto& with) {
        with("stored", outcome.stored);
        with("expected", outcome.expected);
    }
};

struct Write {
    static constexpr std::string_view name = "write";
    using Outcome = std::variant<Written, InconsistentState, Quarantined>;

    Cause cause;
    Instance instance;  // its version, rev and history hash are ignored
    std::optional<Version> expected;

    std::size_t shard() const { return shard_hash(instance.id); }
    static void describe(auto& op, auto& with) {
        with("instance", whole(op.instance));
        with("expected", op.expected);
    }
};

void reads(const Write& op, ReadSet& reads);
Write::Outcome decide(const Write& op, View& view);

}  // namespace holdfast::op
