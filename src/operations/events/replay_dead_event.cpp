#include "operations/events/replay_dead_event.h"

#include <boost/json.hpp>

#include "model/codec/codec.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

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
    const KnownEvent known = view.mail().known(op.event);
    if (!known.dead) return NoDeadEvent{};
    const Event event = sent_again(op, known.dead->event, view.now());
    const Route routed = route(view, event, op.queue_limit, op.cause);
    if (std::holds_alternative<Delivered>(routed) || std::holds_alternative<Queued>(routed))
        view.mail().unbury(op.event);
    return outcome_of(routed);
}

bj::object to_json(const ReplayDeadEvent& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"event", to_string(op.event)},
            {"target", holdfast::to_json(op.target)},
            {"queueLimit", op.queue_limit}};
}

Result<ReplayDeadEvent::Outcome> replayed_from_json(const bj::value& value) {
    const auto event = parse_id<EventId>(value.at("event").as_string());
    if (!event) return fail(ErrorCode::corrupt, "the stored outcome of a replay has no event id");
    if (value.at("outcome") == "queued") return Queued{*event};
    const auto to = parse_id<InstanceId>(value.at("to").as_string());
    if (!to) return fail(ErrorCode::corrupt, "the stored outcome of a replay has no target");
    return Delivered{*event, *to, value.at("index").to_number<std::uint64_t>()};
}

}  // namespace holdfast::op
