#include "operations/state/write.h"

namespace holdfast::op {
namespace {

// The API's JSON plus the members that the API does not show.
// Replaces the stored instance by the caller's, except for the fields that the engine owns.
void overwrite(Instance& stored, const Instance& written) {
    const Instance kept = std::exchange(stored, written);
    stored.tenant = kept.tenant;
    stored.version = kept.version;
    stored.rev = kept.rev;
    stored.history_hash = kept.history_hash;
    stored.quarantined = kept.quarantined;
    stored.last_checkpoint = kept.last_checkpoint;
    // Its journal stays: at another index a second winner would meet the first (I6).
    stored.run = kept.run;
    stored.index = kept.index;
}

}  // namespace

void reads(const Write& op, ReadSet& reads) {
    reads.instance(op.instance.id, Depth::whole, Past::looked_up);
}

Write::Outcome decide(const Write& op, View& view) {
    const Instance* found = view.find(op.instance.id);
    if (found && is_quarantined(view, *found)) return Quarantined{};
    if (found && op.expected != found->version)
        return InconsistentState{found->version, op.expected};
    if (!found && (op.expected || view.is_foreign(op.instance.id)))
        return InconsistentState{std::nullopt, op.expected};

    Instance& instance = found ? view.edit(op.instance.id) : view.insert(op.instance);
    if (found)
        overwrite(instance, op.instance);
    else
        instance.tenant = op.cause.tenant();
    instance.last_modified_by = op.cause.caller.user;
    instance.last_modified_at = view.now();
    view.accept(instance, {.type = HistoryType::written,
                           .payload = instance.state.text(),
                           .state_metadata = instance.state_metadata.text(),
                           .cause = op.cause});
    for (const Waiting& waiting : registered_waits(instance))
        view.register_wait(instance.id, waiting);
    return Written{instance.version};
}

}  // namespace holdfast::op
