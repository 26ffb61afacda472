#include "operations/events/delayed_event.h"

#include <boost/json.hpp>

#include "model/codec/member_reader.h"
#include "operations/events/deliver.h"
#include "operations/events/send_event.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

bool send_to_all(View& view, const Event& event, const Cause& cause) {
    ReadSet needed;
    needed.all_waits(event.channel());
    needed.channel_size(event.channel());
    view.expect(needed);
    const auto reached = deliver_to_all(view, event, cause);
    if (!reached || reached->empty())
        view.mail().end(event, reached ? EventFate::discarded : EventFate::fanned_out, view.now());
    return !reached || !reached->empty();
}

}  // namespace

// It hangs on the event, not on the target: that may end before, and the event go elsewhere.
SignalRow signal_for(const Event& event, Moment now) {
    const SignalId id{derive(event.operation.value, 1)};
    const InstanceId none{event.id.value};
    auto envelope = encode({.id = id,
                            .instance = none,
                            .type = SignalType::external_signal,
                            .occurred_at = now,
                            .due_at = event.accepted_at,
                            .payload = Document::of(bj::object{{"due", to_string(event.id)}})});
    HF_ASSERT(envelope.has_value(), "an envelope with an id is short");
    return {.id = id,
            .instance = none,
            .type = SignalType::external_signal,
            .enqueued_at = now,
            .visible_at = event.accepted_at,
            .envelope = *std::move(envelope)};
}

std::optional<EventId> delayed_event_in(const Envelope& envelope) {
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    if (!reader.has("due")) return std::nullopt;
    const auto id = reader.give(reader.id<EventId>("due"));
    return id ? std::optional(*id) : std::nullopt;
}

bool send_due(View& view, const EventId& id, const Cause& cause) {
    auto event = view.mail().known(id).queued;
    if (!event || event->hold == Hold::none) return false;
    if (is_expired(*event, view.now())) {
        view.mail().end(*event, EventFate::expired, view.now());
        return false;
    }
    if (event->hold == Hold::for_all) return send_to_all(view, *event, cause);
    ReadSet needed;
    read_route(needed, event->channel(), event->target);
    view.expect(needed);
    // It stays as it is for a target that takes nothing now: a wait takes it, as it is due.
    if (event->target && refusal_of(view, *event->target)) return false;
    view.mail().take(*event);
    event->hold = Hold::none;
    const Route routed = route(view, *event, no_limits, cause);
    return std::holds_alternative<Delivered>(routed);
}

}  // namespace holdfast::op
