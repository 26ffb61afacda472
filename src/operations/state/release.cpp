#include "operations/state/release.h"

#include "operations/events/deliver.h"
#include "operations/limits/turns.h"

namespace holdfast::op {
namespace {

// The document with a checksum of its actual content.
Document as_it_is(const Document& document) { return Document::of(document.value()); }

}  // namespace

void reads(const Release& op, ReadSet& reads) { reads.instance(op.instance, Depth::document); }

Release::Outcome decide(const Release& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (!is_quarantined(view, *found)) return NotQuarantined{found->version};
    const bool repaired = op.state || op.state_metadata;
    if (view.is_misplaced(op.instance)) return StillCorrupt{found->version, true};
    if (view.is_corrupt(op.instance) && !repaired) return StillCorrupt{found->version};

    const Document state = op.state.value_or(as_it_is(found->state));
    if (auto invalid = check_schema(view, view.definition(*found), state))
        return *std::move(invalid);
    Instance& instance = view.edit(op.instance);
    instance.quarantined = false;
    instance.state = state;
    instance.state_metadata = op.state_metadata.value_or(as_it_is(found->state_metadata));
    instance.last_modified_by = op.cause.caller.user;
    instance.last_modified_at = view.now();
    view.accept(instance, {.type = HistoryType::released,
                           .payload = instance.state.text(),
                           .state_metadata = instance.state_metadata.text(),
                           .cause = op.cause});
    view.mark_sound(op.instance);
    Released released{instance.version, instance.state};
    // Its waits were not registered while it was quarantined.
    catch_up(view, op.instance, op.cause);
    ask_for_turn(view, op.instance, op.cause);
    return released;
}

}  // namespace holdfast::op
