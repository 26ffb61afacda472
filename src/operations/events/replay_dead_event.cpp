#include "operations/events/replay_dead_event.h"

namespace holdfast::op {
namespace {

// Accepted anew: it queues behind other events and gets its original time to live again.
Event sent_again(const ReplayDeadEvent& op, Event event, Moment now) {
    if (event.expires_at) event.expires_at = now + (*event.expires_at - event.accepted_at);
    event.target = op.target;
    event.accepted_at = now;
    event.operation = op.cause.operation;
    return event;
}

ReplayDeadEvent::Outcome outcome_of(const Route& route) {
    return std::visit([](const auto& one) { return ReplayDeadEvent::Outcome{one}; }, route);
}

}  // namespace

void reads(const ReplayDeadEvent& op, ReadSet& reads) {
    reads.event(op.event);
    if (op.target) read_route(reads, {}, op.target);  // the name matters only for a broadcast
}

ReplayDeadEvent::Outcome decide(const ReplayDeadEvent& op, View& view) {
    const KnownEvent known = view.known_event(op.event);
    if (!known.dead) return NoDeadEvent{};
    const Event event = sent_again(op, known.dead->event, view.now());
    const Route routed = route(view, event, {op.queue_limit, op.queue_bytes}, op.cause);
    if (std::holds_alternative<Delivered>(routed) || std::holds_alternative<Queued>(routed))
        view.mail().unbury(*known.dead);
    return outcome_of(routed);
}

}  // namespace holdfast::op
