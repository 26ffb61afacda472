// Starts a new instance from another one's checkpoint, on the same version of the definition
// (002.9).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/state/restore.h"
#include "store/view.h"

namespace holdfast::op {

struct Forked {
    Instance instance;
};

// Refused: a flow runs the source. Random values and ids in its journal derive from the instance,
// so a copy would not replay.
struct RunsFlow {};

struct Fork {
    static constexpr std::string_view name = "fork";
    using Outcome = std::variant<Forked, NoCheckpoint, RunsFlow, NotFound, Quarantined>;

    Cause cause;  // the operation's id becomes the instance's id
    std::optional<ClientKey> client_key;
    InstanceId source;
    std::string checkpoint;
    std::optional<BusinessReference> business;  // absent: the source's

    InstanceId instance() const { return {cause.operation.value}; }
};

void reads(const Fork& op, ReadSet& reads);
Fork::Outcome decide(const Fork& op, View& view);
boost::json::object to_json(const Fork& op);
boost::json::object to_json(const Forked& outcome);
boost::json::object to_json(const RunsFlow&);
Result<Forked> forked_from_json(const boost::json::value& value);

}  // namespace holdfast::op
