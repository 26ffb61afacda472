#include "operations/events/suspend.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

bool is_same(const Suspend& op, const Wait& registered) {
    Wait asked = op.wait;
    if (op.after && registered.until) asked.until = registered.until;
    return asked == registered;
}

// A runner that repeats gets the same outcome: the winner at that index, or the token.
std::optional<Suspend::Outcome> answer_again(const Suspend& op, const View& view,
                                             const Instance& instance) {
    if (op.run.run != instance.run || op.run.index > instance.index ||
        is_fenced_off(view, instance, op.run))
        return overtaken(instance);
    if (op.run.index < instance.index) {
        const Winner* winner = view.winner(op.instance, op.run.index);
        const Step* step = view.step(op.instance, op.run.index);
        if (!winner || !step) return overtaken(instance);
        return Woken{*winner, step->value, step->at};
    }
    if (instance.waiting && is_same(op, instance.waiting->wait))
        return Asleep{instance.waiting->token};
    return std::nullopt;
}

void fall_asleep(View& view, Instance& instance) {
    instance.status = Status::suspended;
    if (is_registered(instance)) register_wait(view, instance);
}

}  // namespace

void register_wait(View& view, const Instance& instance) {
    view.mail().register_wait(instance);
    for (const InstanceId& workflow : instance.waiting->wait.workflows)
        view.register_completion(workflow, instance);
}

std::optional<Woken> wait_on(View& view, const InstanceId& id, const Cause& cause) {
    const auto waiting = view.find(id)->waiting;
    if (!waiting) return std::nullopt;
    ReadSet needed;
    read_wait(needed, id, waiting->wait);
    view.expect(needed);
    auto woken = take_pending(view, id, *waiting, cause);
    if (!woken) fall_asleep(view, view.edit(id));
    return woken;
}

void reads(const Suspend& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.step(op.instance, op.run.index);
    read_fence(reads, op.instance, op.run);
    read_wait(reads, op.instance, op.wait);
}

Suspend::Outcome decide(const Suspend& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto again = answer_again(op, view, *found)) return *std::move(again);
    for (const InstanceId& workflow : op.wait.workflows)
        if (!view.find(workflow)) return UnknownWorkflow{workflow};

    Waiting waiting{.token = {derive(op.cause.operation.value, 1)},
                    .wait = op.wait,
                    .began_at = view.now(),
                    .operation = op.cause.operation};
    if (op.after) waiting.wait.until = view.now() + *op.after;
    if (!found->paused) {
        if (auto woken = take_pending(view, op.instance, waiting, op.cause))
            return *std::move(woken);
    }
    Instance& instance = view.edit(op.instance);
    instance.waiting = waiting;
    fall_asleep(view, instance);
    bj::object payload = holdfast::to_json(waiting.wait);
    payload["index"] = instance.index;
    view.execute(
        instance,
        {.type = HistoryType::suspended, .payload = json::canonical(payload), .cause = op.cause});
    return Asleep{waiting.token};
}

bj::object to_json(const Suspend& op) {
    bj::object object{{"operation", op.name},
                      {"cause", to_json(op.cause)},
                      {"instance", to_string(op.instance)},
                      {"run", to_json(op.run)},
                      {"wait", holdfast::to_json(op.wait)}};
    object["afterMicroseconds"] = nullptr;
    if (op.after) object["afterMicroseconds"] = op.after->count();
    return object;
}

bj::object to_json(const Asleep& outcome) {
    return named("suspended", {{"token", to_string(outcome.token)}});
}

bj::object to_json(const UnknownWorkflow& outcome) {
    return named("unknownWorkflow", {{"workflow", to_string(outcome.id)}});
}

}  // namespace holdfast::op
