// Starts a new instance from another one's checkpoint, on the same version of the definition
// (002.9).
#pragma once

#include <variant>

#include "operations/description.h"
#include "operations/refusals.h"
#include "operations/state/restore.h"
#include "store/view.h"

namespace holdfast::op {

struct Forked {
    static constexpr std::string_view name = "forked";

    Instance instance;

    static void describe(auto& outcome, auto& with) { with("instance", outcome.instance); }
};

// Refused: a flow runs the source. Random values and ids in its journal derive from the instance,
// so a copy would not replay.
struct RunsFlow {
    static constexpr std::string_view name = "runsFlow";
};

struct Fork {
    static constexpr std::string_view name = "fork";
    using Outcome = std::variant<Forked, NoCheckpoint, RunsFlow, NotFound, Quarantined>;

    Cause cause;  // the operation's id becomes the instance's id
    std::optional<ClientKey> client_key;
    InstanceId source;
    std::string checkpoint;
    std::optional<BusinessReference> business;  // absent: the source's

    InstanceId instance() const { return {cause.operation.value}; }

    std::size_t shard() const { return shard_hash(source); }
    static void describe(auto& op, auto& with) {
        with("source", op.source);
        with("checkpoint", op.checkpoint);
        with("businessReference", op.business);
    }
};

void reads(const Fork& op, ReadSet& reads);
Fork::Outcome decide(const Fork& op, View& view);

}  // namespace holdfast::op
