// Saves a named copy of the current version's documents, to restore or fork from (002.9).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

struct Checkpointed {
    holdfast::Checkpoint checkpoint;
};
struct NameTaken {
    Version version;  // of the checkpoint with this name
};

struct Checkpoint {
    static constexpr std::string_view name = "checkpoint";
    using Outcome = std::variant<Checkpointed, NameTaken, Stale, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::string checkpoint;  // the name to give
    std::optional<Version> expected;
};

void reads(const Checkpoint& op, ReadSet& reads);
Checkpoint::Outcome decide(const Checkpoint& op, View& view);
boost::json::object to_json(const Checkpoint& op);
boost::json::object to_json(const Checkpointed& outcome);
boost::json::object to_json(const NameTaken& outcome);
Result<Checkpointed> checkpointed_from_json(const boost::json::value& value);

// Saves a checkpoint of the instance; its version does not change.
const holdfast::Checkpoint& take_checkpoint(View& view, const Instance& instance,
                                            const std::string& name, const Cause& cause);

}  // namespace holdfast::op
