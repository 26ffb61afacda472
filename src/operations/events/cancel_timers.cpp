#include "operations/events/cancel_timers.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/events/suspend.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const CancelTimers& op, ReadSet& reads) { reads.instance(op.instance, Depth::row); }

CancelTimers::Outcome decide(const CancelTimers& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (!found->waiting || !found->waiting->wait.until || found->waiting->wait.retry)
        return TimersCancelled{0, found->version};

    Instance& instance = view.edit(op.instance);
    const Moment due = *instance.waiting->wait.until;
    instance.waiting->wait.until.reset();
    instance.waiting->token = {derive(op.cause.operation.value, 1)};
    if (is_registered(instance)) register_wait(view, instance);
    view.execute(instance, {.type = HistoryType::timers_cancelled,
                            .payload = json::canonical(
                                bj::object{{"index", instance.index}, {"due", to_iso8601(due)}}),
                            .cause = op.cause});
    return TimersCancelled{1, instance.version};
}

bj::object to_json(const CancelTimers& op) {
    return {
        {"operation", op.name}, {"cause", to_json(op.cause)}, {"instance", to_string(op.instance)}};
}

bj::object to_json(const TimersCancelled& outcome) {
    return named("timersCancelled", {{"count", outcome.count}, {"version", outcome.version}});
}

}  // namespace holdfast::op
