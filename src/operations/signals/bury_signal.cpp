#include "operations/signals/bury_signal.h"

#include "operations/lifecycle/incident.h"

namespace holdfast::op {
namespace {

// A continuation is queued without an envelope; a dead letter needs one.
std::string bytes_of(const SignalRow& row) {
    if (!row.envelope.empty()) return row.envelope;
    const auto bytes = encode({.id = row.id,
                               .instance = row.instance,
                               .type = row.type,
                               .occurred_at = row.enqueued_at,
                               .payload = Document::of(nullptr)});
    HF_ASSERT(bytes.has_value(), "an envelope without a payload is short");
    return *bytes;
}

bool is_open_here(const View& view, const InstanceId& id) {
    const Instance* instance = view.find(id);
    return instance && is_open(instance->status);
}

DeadLetter letter_of(const View& view, const SignalRow& row, DeadLetterReason reason,
                     std::string detail) {
    DeadLetter letter{.signal = row,
                      .reason = reason,
                      .detail = std::move(detail),
                      .node = view.node(),
                      .at = view.now()};
    if (const Instance* instance = view.find(row.instance)) letter.tenant = instance->tenant;
    letter.signal.envelope = bytes_of(row);
    letter.signal.leased_by.reset();
    return letter;
}

}  // namespace

Buried bury(View& view, const SignalRow& row, DeadLetterReason reason, std::string detail,
            const Cause& cause) {
    if (is_open_here(view, row.instance)) {
        if (row.type == SignalType::internal_continue) view.edit(row.instance).buried = true;
        raise_incident(view, row.instance, std::string(name_of(reason)), detail, cause);
    }
    view.signals().bury(letter_of(view, row, reason, std::move(detail)));
    return {reason};
}

void reads(const BurySignal& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.signal(op.signal);
    reads.continuation(op.instance);
}

BurySignal::Outcome decide(const BurySignal& op, View& view) {
    const auto row = leased_signal(view, op.signal, op.lease);
    if (!row) return LeaseLost{};
    // Nothing waits behind a continuation: it needs no place in the queue.
    if (!op.hold || row->type == SignalType::internal_continue)
        return bury(view, *row, op.reason, op.detail, op.cause);
    if (is_open_here(view, op.instance) && !view.find(op.instance)->incident)
        raise_incident(view, op.instance, std::string(name_of(op.reason)), op.detail, op.cause);
    view.signals().hold(letter_of(view, *row, op.reason, op.detail), view.now());
    return Held{};
}

}  // namespace holdfast::op
