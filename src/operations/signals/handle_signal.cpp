#include "operations/signals/handle_signal.h"

#include <boost/json.hpp>

#include "model/codec/member_reader.h"
#include "operations/events/delayed_event.h"
#include "operations/events/deliver.h"
#include "operations/events/fan_out.h"
#include "operations/events/send_event.h"
#include "operations/lifecycle/cancel.h"
#include "operations/signals/bury_signal.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

using Handling = std::variant<Handled, StaleSignal, DeadLetterReason>;

// The wait that the signal is meant for. Null: it has ended.
const Waiting* wait_of(const Instance& instance, const Envelope& envelope) {
    const auto waits = registered_waits(instance);
    return envelope.token ? find_wait(waits, *envelope.token) : nullptr;
}

// The event that an ExternalSignal carries.
Result<Event> event_in(const HandleSignal& op, const View& view, const Envelope& envelope) {
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    Event event{.id = reader.id<EventId>("event"),
                .name = reader.text("name"),
                .target = op.instance,
                .value = reader.document("value"),
                .accepted_at = view.now(),
                .operation = op.cause.operation,
                .correlation = {},
                .tenant = view.find(op.instance)->tenant};
    return reader.give(std::move(event));
}

// Reaches only an instance that still waits, and once.
Handling handle_fan_out(const HandleSignal& op, View& view, const Envelope& envelope,
                        const FannedOutEvent& sent) {
    const Waiting* waiting = wait_of(*view.find(op.instance), envelope);
    if (!waiting || sent.except == op.instance) return StaleSignal{};
    // Only this: the event may have reached thousands of others.
    if (view.mail().has_reached(sent.event.id, op.instance)) return StaleSignal{};
    Event event = sent.event;
    event.tenant = view.find(op.instance)->tenant;
    event.keep = Keep::yes;  // if it is queued, it is one that stays
    deliver_event(view, op.instance, *waiting, event, op.cause);
    return Handled{true};
}

Handling handle_cancel(const HandleSignal& op, View& view, const std::string& reason) {
    cancel_all(view, open_family(view, op.instance), reason, op.cause);
    return Handled{true};
}

Handling handle_event(const HandleSignal& op, View& view, const Envelope& envelope) {
    if (const auto reason = cancel_reason_in(envelope)) return handle_cancel(op, view, *reason);
    if (const auto sent = fanned_out_event_in(view, envelope)) {
        if (!*sent) return DeadLetterReason::undecodable;
        return handle_fan_out(op, view, envelope, **sent);
    }
    const auto event = event_in(op, view, envelope);
    if (!event) return DeadLetterReason::undecodable;
    const Instance& instance = *view.find(op.instance);
    if (envelope.token && !wait_of(instance, envelope)) return StaleSignal{};
    const KnownEvent known = view.mail().known(event->id);
    const auto is_its = [&](const FateRow& row) { return row.instance == op.instance; };
    if (known.queued || known.dead || std::ranges::any_of(known.fates, is_its))
        return StaleSignal{};
    const Route routed = route(view, *event, no_limits, op.cause);
    if (std::holds_alternative<Delivered>(routed)) return Handled{true};
    if (std::holds_alternative<Queued>(routed)) return Handled{false};
    return StaleSignal{};
}

Handling handle_timer(const HandleSignal& op, View& view, const Envelope& envelope) {
    const Waiting* waiting = wait_of(*view.find(op.instance), envelope);
    if (!waiting || !waiting->wait.until || *waiting->wait.until > view.now()) return StaleSignal{};
    deliver_timer(view, op.instance, *waiting, op.cause);
    return Handled{true};
}

Handling handle_completion(const HandleSignal& op, View& view, const Envelope& envelope) {
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    const auto ended = reader.give(reader.id<InstanceId>("workflow"));
    if (!ended) return DeadLetterReason::undecodable;
    const Waiting* waiting = wait_of(*view.find(op.instance), envelope);
    const Instance* child = view.find(*ended);
    if (!waiting || (child && is_open(child->status))) return StaleSignal{};
    // The token identifies the wait, not the workflow that it waits for.
    const auto& awaited = waiting->wait.workflows;
    if (std::ranges::find(awaited, *ended) == awaited.end()) return StaleSignal{};
    deliver_completion(view, op.instance, *waiting, *ended, op.cause);
    return Handled{true};
}

Handling handle(const HandleSignal& op, View& view, const SignalRow& row) {
    const auto envelope = decode_envelope(row.envelope);
    if (!envelope) return DeadLetterReason::undecodable;
    const Instance* instance = view.find(op.instance);
    if (!instance) return DeadLetterReason::missing_instance;
    if (!is_open(instance->status)) return StaleSignal{};
    switch (row.type) {
        case SignalType::external_signal: return handle_event(op, view, *envelope);
        case SignalType::timer_due: return handle_timer(op, view, *envelope);
        case SignalType::sub_workflow_completed: return handle_completion(op, view, *envelope);
        default: return DeadLetterReason::undecodable;  // handled by the program, not here
    }
}

}  // namespace

std::optional<SignalRow> leased_signal(const View& view, const SignalId& id, const Lease& lease) {
    KnownSignal known = view.signals().known(id);
    if (!known.queued || !known.lease_valid) return std::nullopt;
    if (known.queued->leased_by != lease.node || known.queued->epoch != lease.epoch)
        return std::nullopt;
    if (view.is_foreign(known.queued->instance)) return std::nullopt;
    return std::move(known.queued);
}

void reads(const HandleSignal& op, ReadSet& reads) {
    read_route(reads, {}, op.instance);
    reads.signal(op.signal);
}

HandleSignal::Outcome decide(const HandleSignal& op, View& view) {
    const auto row = leased_signal(view, op.signal, op.lease);
    if (!row) return LeaseLost{};
    const auto envelope = decode_envelope(row->envelope);
    if (envelope)
        if (const auto event = delayed_event_in(*envelope)) {
            const bool woken = send_due(view, *event, op.cause);
            view.signals().drop(*row);
            return Handled{woken};
        }
    Handling handling = StaleSignal{};
    if (!view.signals().known(op.signal).processed) handling = handle(op, view, *row);
    if (const auto* reason = std::get_if<DeadLetterReason>(&handling))
        return bury(view, *row, *reason, {}, op.cause);
    // The fates of an event tell whom it has reached: this needs no row of its own.
    if (envelope && is_fanned_out(*envelope))
        view.signals().drop(*row);
    else
        view.signals().consume(*row, view.now());
    if (const auto* handled = std::get_if<Handled>(&handling)) {
        if (handled->woken) view.signals().moved(op.instance, op.signal);
        return *handled;
    }
    return StaleSignal{};
}

}  // namespace holdfast::op
