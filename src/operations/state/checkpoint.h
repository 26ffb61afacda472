// Saves a named copy of the current version's documents, to restore or fork from (002.9).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Checkpointed {
    static constexpr std::string_view name = "checkpointed";

    holdfast::Checkpoint checkpoint;

    static void describe(auto& outcome, auto& with) { with("checkpoint", outcome.checkpoint); }
};
struct NameTaken {
    static constexpr std::string_view name = "nameTaken";

    Version version;  // of the checkpoint with this name

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};

struct Checkpoint {
    static constexpr std::string_view name = "checkpoint";
    using Outcome = std::variant<Checkpointed, NameTaken, Stale, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::string checkpoint;  // the name to give
    std::optional<Version> expected;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("name", op.checkpoint);
    }
};

void reads(const Checkpoint& op, ReadSet& reads);
Checkpoint::Outcome decide(const Checkpoint& op, View& view);

// Saves a checkpoint of the instance; its version does not change.
const holdfast::Checkpoint& take_checkpoint(View& view, const Instance& instance,
                                            const std::string& name, const Cause& cause);

}  // namespace holdfast::op
