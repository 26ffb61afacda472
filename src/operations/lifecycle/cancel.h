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
    Status status = Status::cancelled;  // open: it runs its rollback first
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
Cancel::Outcome decide(const Cancel& op, View& view);
boost::json::object to_json(const Cancel& op);
boost::json::object to_json(const Cancelled& outcome);
Result<Cancelled> cancelled_from_json(const boost::json::value& value);

// Cancels these open instances, in this order.
void cancel_all(View& view, const std::vector<InstanceId>& ids, const std::string& reason,
                const Cause& cause);
// Every open instance below this one, parents before children.
std::vector<InstanceId> open_descendants(const View& view, const InstanceId& root);

}  // namespace holdfast::op
