#include "operations/events/remove_dead_event.h"

namespace holdfast::op {

void reads(const RemoveDeadEvent& op, ReadSet& reads) { reads.event(op.event); }

RemoveDeadEvent::Outcome decide(const RemoveDeadEvent& op, View& view) {
    const KnownEvent known = view.known_event(op.event);
    if (!known.dead) return NoDeadEvent{};
    view.mail().unbury(*known.dead);
    view.mail().end(known.dead->event, EventFate::discarded, view.now());
    return Removed{op.event};
}

}  // namespace holdfast::op
