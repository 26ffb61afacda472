#include "operations/lifecycle/clear.h"

#include "operations/events/deliver.h"
#include "operations/lifecycle/cancel.h"

namespace holdfast::op {

void reads(const Clear& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::whole);
    reads.children(op.instance);
    reads.completion_waiters(op.instance);
}

Clear::Outcome decide(const Clear& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NothingToClear{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (op.expected && *op.expected != instance->version)
        return refuse_stale(view, *instance, *op.expected, op.cause);
    const Version last = instance->version + 1;
    Family children;
    if (is_open(instance->status)) children = open_descendants(view, op.instance);
    const auto waiters = view.completion_waiters(op.instance);
    view.clear(op.instance, op.cause);
    cancel_all(view, children, "its parent was cleared", op.cause);
    deliver_completions(view, waiters, op.instance, op.cause);
    return Cleared{last};
}

}  // namespace holdfast::op
