#include "operations/events/suspend.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/events/deliver.h"
#include "operations/signals/report_stranded.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

bool is_same(const Suspend& op, const Wait& registered) {
    Wait asked = op.wait;
    if (op.after && registered.until) asked.until = registered.until;
    return asked == registered;
}

std::optional<Woken> recorded(const View& view, const InstanceId& id, std::uint64_t index) {
    const Winner* winner = view.winner(id, index);
    const Step* step = view.step(id, index);
    if (!winner || !step) return std::nullopt;
    return Woken{*winner, step->value, step->at};
}

// A runner that repeats gets the same outcome: the winner at that index, or the token.
std::optional<Suspend::Outcome> answer_again(const Suspend& op, const View& view,
                                             const Instance& instance) {
    if (op.run.run != instance.run || op.run.index > instance.index ||
        is_fenced_off(view, instance, op.run))
        return overtaken(instance);
    if (op.run.index < instance.index) {
        auto woken = recorded(view, op.instance, op.run.index);
        if (!woken) return overtaken(instance);
        return *std::move(woken);
    }
    for (const Waiting& waiting : instance.waits)
        if (is_same(op, waiting.wait)) return Asleep{waiting.token};
    return std::nullopt;
}

}  // namespace

void reads(const Suspend& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.step(op.instance, op.run.index);
    read_fence(reads, op.instance, op.run);
    read_wait(reads, op.instance, op.cause.tenant(), op.wait);
}

Suspend::Outcome decide(const Suspend& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto again = answer_again(op, view, *found)) return *std::move(again);
    for (const InstanceId& workflow : op.wait.workflows)
        if (!view.find(workflow)) return UnknownWorkflow{workflow};
    settle_stranded(view, op.instance, op.run);

    Waiting waiting{.token = {derive(op.cause.operation.value, 1)},
                    .wait = op.wait,
                    .began_at = view.now(),
                    .operation = op.cause.operation};
    if (op.after) waiting.wait.until = view.now() + *op.after;
    // A runner has one wait at a time: another one at the same index replaces it.
    if (!found->waits.empty()) view.edit(op.instance).waits.clear();
    if (!found->paused && take_pending(view, op.instance, waiting, op.cause))
        return *recorded(view, op.instance, op.run.index);
    begin_wait(view, op.instance, waiting);
    Instance& instance = view.edit(op.instance);
    bj::object payload = holdfast::to_json(waiting.wait);
    payload["index"] = instance.index;
    view.execute(
        instance,
        {.type = HistoryType::suspended, .payload = json::canonical(payload), .cause = op.cause});
    return Asleep{waiting.token};
}

}  // namespace holdfast::op
