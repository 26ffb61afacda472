#include "operations/steps/put_off.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/events/react.h"
#include "operations/signals/report_stranded.h"
#include "program/traits.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const PutOff& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    read_fence(reads, op.instance, op.run);
}

PutOff::Outcome decide(const PutOff& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (!traits_of(*found).needs_lease || !is_at(view, *found, op.run)) return overtaken(*found);
    settle_stranded(view, op.instance, op.run);

    react(view, op.instance, stimulus::AttemptFailed{op.error}, op.cause);
    const Moment until = view.now() + op.pause;
    const TokenId token{derive(op.cause.operation.value, 1)};
    begin_wait(view, op.instance,
               {.token = token,
                .wait = {.until = until, .retry = true},
                .began_at = view.now(),
                .operation = op.cause.operation});
    Instance& instance = view.edit(op.instance);
    const bj::object payload{{"index", instance.index},
                             {"attempt", instance.program.retry->attempts.size()},
                             {"error", op.error.value()},
                             {"until", to_iso8601(until)}};
    view.execute(
        instance,
        {.type = HistoryType::suspended, .payload = json::canonical(payload), .cause = op.cause});
    return PutOffUntil{token, until};
}

}  // namespace holdfast::op
