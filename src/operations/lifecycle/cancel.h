// Cancels an open instance and its child workflows; an ended one is unchanged (001.10).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"
#include "store/view.h"

namespace holdfast::op {

struct Cancelled {
    Instance before;  // the instance before the cancel
    Version version;
};

struct Cancel {
    static constexpr std::string_view name = "cancel";
    using Outcome = std::variant<Cancelled, Ended, Stale, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;
    std::string reason;
};

void reads(const Cancel& op, ReadSet& reads);
Decision<Cancel> decide(const Cancel& op, View& view);
boost::json::object to_json(const Cancel& op);
boost::json::object to_json(const Cancelled& outcome);
Result<Cancelled> cancelled_from_json(const boost::json::value& value);

}  // namespace holdfast::op
