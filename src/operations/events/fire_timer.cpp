#include "operations/events/fire_timer.h"

#include "base/defect.h"
#include "model/codec/codec.h"

namespace holdfast::op {

void reads(const FireTimer& op, ReadSet& reads) { reads.instance(op.instance, Depth::row); }

FireTimer::Outcome decide(const FireTimer& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance || !is_registered(*instance) || instance->quarantined) return StaleTimer{};
    const Waiting& waiting = *instance->waiting;
    const auto due = waiting.wait.until;
    if (defect("timer_without_token"))
        return Fired{deliver_timer(view, op.instance, view.now(), op.cause).winner.index, {}, {}};
    if (waiting.token != op.token || !due || *due > view.now()) return StaleTimer{};
    const Woken woken = deliver_timer(view, op.instance, *due, op.cause);
    return Fired{woken.winner.index, *due, view.now()};
}

boost::json::object to_json(const FireTimer& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"token", to_string(op.token)}};
}

boost::json::object to_json(const Fired& outcome) {
    return named("fired", {{"index", outcome.index},
                           {"due", to_iso8601(outcome.due)},
                           {"reached", to_iso8601(outcome.reached)}});
}

boost::json::object to_json(const StaleTimer&) { return named("stale"); }

}  // namespace holdfast::op
