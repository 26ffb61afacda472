#include "operations/signals/enqueue_signal.h"

#include <boost/json.hpp>

#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const EnqueueSignal& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.signal(op.signal);
}

EnqueueSignal::Outcome decide(const EnqueueSignal& op, View& view) {
    if (!view.signals().known(op.signal).empty()) return SignalRepeated{op.signal};
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
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

bj::object to_json(const EnqueueSignal& op) {
    bj::object object{{"operation", op.name},           {"cause", to_json(op.cause)},
                      {"signal", to_string(op.signal)}, {"instance", to_string(op.instance)},
                      {"type", name_of(op.type)},       {"token", holdfast::to_json(op.token)},
                      {"payload", op.payload.value()}};
    object["afterMicroseconds"] = nullptr;
    if (op.after) object["afterMicroseconds"] = op.after->count();
    return object;
}

bj::object to_json(const Enqueued& outcome) {
    return named("enqueued", {{"signal", to_string(outcome.signal)}});
}
bj::object to_json(const SignalRepeated& outcome) {
    return named("repeated", {{"signal", to_string(outcome.signal)}});
}
bj::object to_json(const SignalTooLong& outcome) {
    return named("tooLong", {{"limit", outcome.limit}});
}

}  // namespace holdfast::op
