#include "operations/state/checkpoint.h"

namespace holdfast::op {

const holdfast::Checkpoint& take_checkpoint(View& view, const Instance& instance,
                                            const std::string& name, const Cause& cause) {
    view.put(holdfast::Checkpoint{.instance = instance.id,
                                  .name = name,
                                  .version = instance.version,
                                  .state = instance.state,
                                  .state_metadata = instance.state_metadata,
                                  .created_by = cause.caller.user,
                                  .created_at = view.now()});
    view.edit(instance.id).last_checkpoint = LastCheckpoint{name, instance.version, view.now()};
    return *view.checkpoint(instance.id, name);
}

void reads(const Checkpoint& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    reads.checkpoint(op.instance, op.checkpoint);
}

Checkpoint::Outcome decide(const Checkpoint& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (op.expected && *op.expected != instance->version)
        return refuse_stale(view, *instance, *op.expected, op.cause);
    if (const auto* taken = view.checkpoint(op.instance, op.checkpoint))
        return NameTaken{taken->version};
    return Checkpointed{take_checkpoint(view, *instance, op.checkpoint, op.cause)};
}

}  // namespace holdfast::op
