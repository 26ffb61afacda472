#include "operations/state/restore.h"

#include "operations/events/react.h"
#include "operations/state/checkpoint.h"

namespace holdfast::op {

void reads(const Restore& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    reads.checkpoint(op.instance, op.checkpoint);
}

Restore::Outcome decide(const Restore& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    const holdfast::Checkpoint* checkpoint = view.checkpoint(op.instance, op.checkpoint);
    if (!checkpoint) return NoCheckpoint{op.checkpoint};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);

    const holdfast::Checkpoint wanted = *checkpoint;
    const std::string safety = std::string(safety_prefix) + std::to_string(found->version);
    take_checkpoint(view, *found, safety, op.cause);
    Instance& instance = view.edit(op.instance);
    instance.state = view.program(instance).with_own_state(instance, wanted.state);
    instance.state_metadata = wanted.state_metadata;
    instance.last_modified_by = op.cause.caller.user;
    instance.last_modified_at = view.now();
    view.accept(instance, {.type = HistoryType::restored,
                           .payload = instance.state.text(),
                           .state_metadata = instance.state_metadata.text(),
                           .cause = op.cause});
    tell_of_edit(view, op.instance, op.cause);
    const Instance& after = *view.find(op.instance);
    return Restored{after.version, after.state, after.state_metadata, view.now(), safety};
}

}  // namespace holdfast::op
