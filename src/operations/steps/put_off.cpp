#include "operations/steps/put_off.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/events/suspend.h"

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
    if (!found->program || !is_at(view, *found, op.run)) return overtaken(*found);

    Instance& instance = view.edit(op.instance);
    auto& retry = instance.program->retry;
    if (!retry || retry->index != instance.index) retry = Retry{.index = instance.index};
    retry->attempts.push_back({op.error, view.now()});
    const Moment until = view.now() + op.pause;
    instance.waiting = Waiting{.token = {derive(op.cause.operation.value, 1)},
                               .wait = {.until = until, .retry = true},
                               .began_at = view.now(),
                               .operation = op.cause.operation};
    instance.status = Status::suspended;
    if (is_registered(instance)) register_wait(view, instance);
    const bj::object payload{{"index", instance.index},
                             {"attempt", retry->attempts.size()},
                             {"error", op.error.value()},
                             {"until", to_iso8601(until)}};
    view.execute(
        instance,
        {.type = HistoryType::suspended, .payload = json::canonical(payload), .cause = op.cause});
    return PutOffUntil{instance.waiting->token, until};
}

bj::object to_json(const PutOff& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"run", to_json(op.run)},
            {"error", op.error.value()},
            {"pauseMicroseconds", op.pause.count()}};
}

bj::object to_json(const PutOffUntil& outcome) {
    return named("putOff",
                 {{"token", to_string(outcome.token)}, {"until", to_iso8601(outcome.until)}});
}

}  // namespace holdfast::op
