#include "operations/lifecycle/clear.h"

#include "model/codec/codec.h"
#include "operations/events/deliver.h"
#include "operations/lifecycle/cancel.h"

namespace holdfast::op {

namespace bj = boost::json;

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
    std::vector<InstanceId> children;
    if (is_open(instance->status)) children = open_descendants(view, op.instance);
    const std::vector<WaitRow> waiters = view.completion_waiters(op.instance);
    view.clear(op.instance, op.cause);
    cancel_all(view, children, "its parent was cleared", op.cause);
    for (const WaitRow& waiter : waiters)
        if (view.is_current(waiter)) deliver_cleared(view, waiter.instance, op.instance, op.cause);
    return Cleared{last};
}

bj::object to_json(const Clear& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)}};
}

bj::object to_json(const Cleared& outcome) {
    return named("cleared", {{"version", outcome.version}});
}

bj::object to_json(const NothingToClear&) { return named("nothingToClear"); }

}  // namespace holdfast::op
