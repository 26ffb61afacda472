#include "operations/signals/redrive_dead_letter.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

// Clears the incident; a continuation is queued again under its old id.
void settle_incident(View& view, const SignalRow& signal, const Cause& cause) {
    Instance& instance = view.edit(signal.instance);
    instance.incident = false;
    if (signal.type == SignalType::internal_continue) {
        instance.buried = false;
        view.redrive(instance.id, signal.id);
    }
    view.execute(instance,
                 {.type = HistoryType::incident_settled,
                  .payload = json::canonical(bj::object{{"signal", to_string(signal.id)}}),
                  .cause = cause});
}

}  // namespace

void reads(const RedriveDeadLetter& op, ReadSet& reads) { reads.signal(op.signal); }

RedriveDeadLetter::Outcome decide(const RedriveDeadLetter& op, View& view) {
    const KnownSignal known = view.signals().known(op.signal);
    if (!known.dead || !view.may_find(known.dead->tenant)) return NotFound{};
    SignalRow signal = known.dead->signal;
    // The continuation that replaces the dead one must have a higher epoch than any before.
    ReadSet needed;
    needed.instance(signal.instance, Depth::row);
    needed.continuation(signal.instance);
    view.expect(needed);
    const Instance* instance = view.find(signal.instance);
    if (!instance) return NotFound{};
    if (!is_open(instance->status)) return Ended{instance->status, instance->version};
    view.signals().unbury(*known.dead);
    settle_incident(view, signal, op.cause);
    if (signal.type != SignalType::internal_continue) {
        signal.attempts = 0;
        signal.visible_at = view.now();
        if (known.queued)  // held
            view.signals().requeue(std::move(signal));
        else
            view.signals().enqueue(std::move(signal));
    }
    return Redriven{op.signal, known.dead->signal.instance};
}

}  // namespace holdfast::op
