#include "operations/signals/enqueue_signal.h"

namespace holdfast::op {

void reads(const EnqueueSignal& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.signal(op.signal);
}

EnqueueSignal::Outcome decide(const EnqueueSignal& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (!view.signals().known(op.signal).empty()) return SignalRepeated{op.signal};
    if (!is_open(instance->status)) return Ended{instance->status, instance->version};
    Envelope envelope{.id = op.signal,
                      .instance = op.instance,
                      .type = op.type,
                      .expected_version = instance->version,
                      .token = op.token,
                      .occurred_at = view.now(),
                      .payload = op.payload};
    if (op.after) envelope.due_at = view.now() + *op.after;
    auto bytes = encode(envelope);
    if (!bytes) return SignalTooLong{longest_envelope};
    SignalRow row{.id = op.signal,
                  .instance = op.instance,
                  .type = op.type,
                  .enqueued_at = view.now(),
                  .visible_at = view.now(),
                  .envelope = *std::move(bytes)};
    if (!ends_a_wait(op.type)) row.program = instance->definition.key;
    if (op.after)
        view.signals().schedule({std::move(row), *envelope.due_at});
    else
        view.signals().enqueue(std::move(row));
    return Enqueued{op.signal};
}

}  // namespace holdfast::op
