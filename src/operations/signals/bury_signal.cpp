#include "operations/signals/bury_signal.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

void raise_incident(View& view, const InstanceId& id, DeadLetterReason reason,
                    const std::string& detail, const Cause& cause) {
    Instance& instance = view.edit(id);
    instance.incident = true;
    instance.last_error = std::string(name_of(reason));
    view.execute(
        instance,
        {.type = HistoryType::incident_raised,
         .payload = json::canonical(bj::object{{"code", name_of(reason)}, {"detail", detail}}),
         .cause = cause});
}

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

}  // namespace

Buried bury(View& view, const SignalRow& row, DeadLetterReason reason, std::string detail,
            const Cause& cause) {
    if (is_open_here(view, row.instance)) {
        if (row.type == SignalType::internal_continue)
            view.edit(row.instance).program->buried = true;
        raise_incident(view, row.instance, reason, detail, cause);
    }
    DeadLetter letter{.signal = row,
                      .reason = reason,
                      .detail = std::move(detail),
                      .node = view.node(),
                      .at = view.now()};
    letter.signal.envelope = bytes_of(row);
    letter.signal.leased_by.reset();
    view.signals().bury(std::move(letter));
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
    if (!op.hold) return bury(view, *row, op.reason, op.detail, op.cause);
    if (is_open_here(view, op.instance) && !view.find(op.instance)->incident)
        raise_incident(view, op.instance, op.reason, op.detail, op.cause);
    return Held{};
}

bj::object to_json(const BurySignal& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"signal", to_string(op.signal)},
            {"lease", to_json(op.lease)},
            {"reason", name_of(op.reason)},
            {"detail", op.detail},
            {"hold", op.hold}};
}

bj::object to_json(const Held&) { return named("held"); }

}  // namespace holdfast::op
