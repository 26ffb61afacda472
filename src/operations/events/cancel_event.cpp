#include "operations/events/cancel_event.h"

#include <algorithm>

namespace holdfast::op {

void reads(const CancelEvent& op, ReadSet& reads) { reads.event(op.event); }

CancelEvent::Outcome decide(const CancelEvent& op, View& view) {
    const KnownEvent known = view.known_event(op.event);
    if (known.empty()) return NotFound{};
    const auto is_cancelled = [](const FateRow& row) { return row.fate == EventFate::cancelled; };
    if (std::ranges::any_of(known.fates, is_cancelled)) return EventCancelled{op.event};
    if (!known.queued || !is_held(*known.queued, view.now())) return NotScheduled{op.event};
    // Its signal finds nothing to send any more.
    view.mail().end(*known.queued, EventFate::cancelled, view.now());
    return EventCancelled{op.event};
}

}  // namespace holdfast::op
