// Cancels an open instance and its child workflows; an ended one is unchanged (001.10).
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"
#include "store/view.h"

namespace holdfast::op {

struct Cancelled {
    static constexpr std::string_view name = "cancelled";

    Instance before;  // the instance before the cancel
    Version version;
    Status status = Status::cancelled;  // open: it runs its rollback first

    static void describe(auto& outcome, auto& with) {
        with("before", outcome.before);
        with("version", outcome.version);
        with.later("status", outcome.status);
    }
};

struct Cancel {
    static constexpr std::string_view name = "cancel";
    using Outcome = std::variant<Cancelled, Ended, Stale, NotFound, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::optional<Version> expected;
    std::string reason;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("reason", op.reason);
    }
};

void reads(const Cancel& op, ReadSet& reads);
Cancel::Outcome decide(const Cancel& op, View& view);

// Open instances, parents before children.
struct Family {
    std::vector<InstanceId> members;
    // Have more children than an operation acts on, or are too far below the first one: their
    // children are told by signals.
    std::vector<InstanceId> left;
};
// Cancels the members in this order.
void cancel_all(View& view, const Family& family, const std::string& reason, const Cause& cause);
// Every open instance below this one.
Family open_descendants(const View& view, const InstanceId& root);
// The same with this one.
Family open_family(const View& view, const InstanceId& root);

}  // namespace holdfast::op
