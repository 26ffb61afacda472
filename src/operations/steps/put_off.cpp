#include "operations/steps/put_off.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/events/react.h"
#include "operations/signals/report_stranded.h"

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
    if (found->run_by != RunBy::node || !is_at(view, *found, op.run)) return overtaken(*found);
    settle_stranded(view, op.instance, op.run);

    Instance& instance = view.edit(op.instance);
    auto& retry = instance.program.retry;
    if (!retry || retry->index != instance.index) retry = Retry{.index = instance.index};
    retry->attempts.push_back({op.error, view.now()});
    const Moment until = view.now() + op.pause;
    const TokenId token{derive(op.cause.operation.value, 1)};
    begin_wait(view, op.instance,
               {.token = token,
                .wait = {.until = until, .retry = true},
                .began_at = view.now(),
                .operation = op.cause.operation});
    const bj::object payload{{"index", instance.index},
                             {"attempt", retry->attempts.size()},
                             {"error", op.error.value()},
                             {"until", to_iso8601(until)}};
    view.execute(
        instance,
        {.type = HistoryType::suspended, .payload = json::canonical(payload), .cause = op.cause});
    return PutOffUntil{token, until};
}

}  // namespace holdfast::op
