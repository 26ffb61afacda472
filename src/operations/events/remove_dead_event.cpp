#include "operations/events/remove_dead_event.h"

#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const RemoveDeadEvent& op, ReadSet& reads) { reads.event(op.event); }

RemoveDeadEvent::Outcome decide(const RemoveDeadEvent& op, View& view) {
    const KnownEvent known = view.mail().known(op.event);
    if (!known.dead) return NoDeadEvent{};
    view.mail().unbury(op.event);
    view.mail().end(known.dead->event, EventFate::discarded, view.now());
    return Removed{op.event};
}

bj::object to_json(const RemoveDeadEvent& op) {
    return {{"operation", op.name}, {"cause", to_json(op.cause)}, {"event", to_string(op.event)}};
}

bj::object to_json(const Removed& outcome) {
    return named("removed", {{"event", to_string(outcome.event)}});
}

bj::object to_json(const NoDeadEvent&) { return named("noDeadEvent"); }

}  // namespace holdfast::op
