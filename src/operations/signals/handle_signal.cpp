#include "operations/signals/handle_signal.h"

#include <boost/json.hpp>

#include "base/defect.h"
#include "model/codec/codec.h"
#include "model/codec/member_reader.h"
#include "operations/events/deliver.h"
#include "operations/events/send_event.h"
#include "operations/signals/bury_signal.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

using Handling = std::variant<Handled, StaleSignal, DeadLetterReason>;

bool is_awaited(const Instance& instance, const Envelope& envelope) {
    if (!is_registered(instance)) return false;
    return instance.waiting->token == envelope.token || defect("stale_token_accepted");
}

// The event that an ExternalSignal carries.
Result<Event> event_in(const HandleSignal& op, const Envelope& envelope, Moment now) {
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    Event event{.id = reader.id<EventId>("event"),
                .name = reader.text("name"),
                .target = op.instance,
                .value = reader.document("value"),
                .accepted_at = now,
                .operation = op.cause.operation};
    return reader.give(std::move(event));
}

Handling handle_event(const HandleSignal& op, View& view, const Envelope& envelope) {
    const auto event = event_in(op, envelope, view.now());
    if (!event) return DeadLetterReason::undecodable;
    const Instance& instance = *view.find(op.instance);
    // A fan-out reaches only instances that still wait, and each of them once.
    if (envelope.token && !is_awaited(instance, envelope)) return StaleSignal{};
    const KnownEvent known = view.mail().known(event->id);
    const auto is_its = [&](const FateRow& row) { return row.instance == op.instance; };
    if (known.queued || known.dead || std::ranges::any_of(known.fates, is_its))
        return StaleSignal{};
    const Route routed = route(view, *event, std::numeric_limits<std::size_t>::max(), op.cause);
    if (std::holds_alternative<Delivered>(routed)) return Handled{true};
    if (std::holds_alternative<Queued>(routed)) return Handled{false};
    return StaleSignal{};
}

Handling handle_timer(const HandleSignal& op, View& view, const Envelope& envelope) {
    const Instance& instance = *view.find(op.instance);
    if (!is_awaited(instance, envelope)) return StaleSignal{};
    const auto due = instance.waiting->wait.until;
    if (!due || *due > view.now()) return StaleSignal{};
    deliver_timer(view, op.instance, *due, op.cause);
    return Handled{true};
}

Handling handle_completion(const HandleSignal& op, View& view, const Envelope& envelope) {
    const bj::value payload = envelope.payload.value();
    MemberReader reader(payload);
    const auto ended = reader.give(reader.id<InstanceId>("workflow"));
    if (!ended) return DeadLetterReason::undecodable;
    const Instance& instance = *view.find(op.instance);
    const Instance* child = view.find(*ended);
    if (!is_awaited(instance, envelope) || !child || is_open(child->status)) return StaleSignal{};
    // The token identifies the wait, not the workflow that it waits for.
    const auto& awaited = instance.waiting->wait.workflows;
    if (std::ranges::find(awaited, *ended) == awaited.end()) return StaleSignal{};
    deliver_completion(view, op.instance, *child, op.cause);
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
    return std::move(known.queued);
}

void reads(const HandleSignal& op, ReadSet& reads) {
    read_route(reads, {}, op.instance);
    reads.signal(op.signal);
}

HandleSignal::Outcome decide(const HandleSignal& op, View& view) {
    const auto row = leased_signal(view, op.signal, op.lease);
    if (!row) return LeaseLost{};
    Handling handling = StaleSignal{};
    if (!view.signals().known(op.signal).processed) handling = handle(op, view, *row);
    if (const auto* reason = std::get_if<DeadLetterReason>(&handling))
        return bury(view, *row, *reason, {}, op.cause);
    view.signals().consume(*row, view.now());
    if (const auto* handled = std::get_if<Handled>(&handling)) return *handled;
    return StaleSignal{};
}

bj::object to_json(const HandleSignal& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"signal", to_string(op.signal)},
            {"lease", to_json(op.lease)}};
}

bj::object to_json(const Handled& outcome) { return named("handled", {{"woken", outcome.woken}}); }
bj::object to_json(const StaleSignal&) { return named("staleSignal"); }
bj::object to_json(const LeaseLost&) { return named("leaseLost"); }
bj::object to_json(const Buried& outcome) {
    return named("buried", {{"reason", name_of(outcome.reason)}});
}

}  // namespace holdfast::op
