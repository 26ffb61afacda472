#include "operations/state/fork.h"

#include "program/traits.h"

namespace holdfast::op {

void reads(const Fork& op, ReadSet& reads) {
    reads.instance(op.source, Depth::document);
    reads.instance(op.instance(), Depth::row);
    reads.checkpoint(op.source, op.checkpoint);
}

Fork::Outcome decide(const Fork& op, View& view) {
    const Instance* source = view.find(op.source);
    if (!source) return NotFound{};
    if (is_quarantined(view, *source)) return Quarantined{};
    const holdfast::Checkpoint* checkpoint = view.checkpoint(op.source, op.checkpoint);
    if (!checkpoint) return NoCheckpoint{op.checkpoint};
    if (!traits_of(*source).may_be_forked) return RunsFlow{};

    Instance instance{.id = op.instance(),
                      .tenant = source->tenant,
                      .definition = source->definition,
                      .business = op.business.value_or(source->business)};
    instance.started_by = op.cause.caller.user;
    instance.created_at = view.now();
    instance.execution_started_at = view.now();
    instance.last_modified_by = op.cause.caller.user;
    instance.last_modified_at = view.now();
    instance.state = checkpoint->state;
    instance.state_metadata = checkpoint->state_metadata;
    Instance& stored = view.insert(std::move(instance));
    view.accept(stored, {.type = HistoryType::forked,
                         .payload = stored.state.text(),
                         .state_metadata = stored.state_metadata.text(),
                         .cause = op.cause});
    return Forked{stored};
}

}  // namespace holdfast::op
