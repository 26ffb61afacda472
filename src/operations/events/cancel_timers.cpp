#include "operations/events/cancel_timers.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/events/react.h"

namespace holdfast::op {

namespace {

namespace bj = boost::json;

bool has_timer(const Waiting& waiting) { return waiting.wait.until && !waiting.wait.retry; }

}  // namespace

void reads(const CancelTimers& op, ReadSet& reads) { reads.instance(op.instance, Depth::row); }

CancelTimers::Outcome decide(const CancelTimers& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    std::vector<Waiting> timed;
    std::ranges::copy_if(found->waits, std::back_inserter(timed), has_timer);
    if (timed.empty()) return TimersCancelled{0, found->version};

    Instance& instance = view.edit(op.instance);
    for (Waiting& waiting : timed) {
        take_wait(instance, waiting.token);
        const Moment due = *std::exchange(waiting.wait.until, std::nullopt);
        // Another token: the timer may be on its way.
        waiting.token = {derive(op.cause.operation.value, instance.version)};
        begin_wait(view, op.instance, std::move(waiting));
        const bj::object payload{{"index", instance.index}, {"due", to_iso8601(due)}};
        view.execute(instance, {.type = HistoryType::timers_cancelled,
                                .payload = json::canonical(payload),
                                .cause = op.cause});
    }
    return TimersCancelled{timed.size(), instance.version};
}

}  // namespace holdfast::op
