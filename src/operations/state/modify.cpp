#include "operations/state/modify.h"

#include "operations/events/react.h"
#include "program/limiter/program.h"

namespace holdfast::op {

void reads(const Modify& op, ReadSet& reads) { reads.instance(op.instance, Depth::whole); }

Modify::Outcome decide(const Modify& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (!is_open(instance->status)) return Ended{instance->status, instance->version};
    if (op.expected && *op.expected != instance->version)
        return refuse_stale(view, *instance, *op.expected, op.cause);
    if (wait_for_turn(*instance))
        return ModifyRefused{"it waits for its turn and has not begun; its state can be edited"};
    if (auto why = react_unless_refused(view, op.instance, stimulus::Modified{op.steps}, op.cause))
        return ModifyRefused{*std::move(why)};
    return ModifyDone{view.find(op.instance)->version};
}

}  // namespace holdfast::op
