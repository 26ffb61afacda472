#include "operations/events/deliver.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/refusals.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

struct Delivery {
    WinnerType type;
    std::string name;
    Document value;
};

Woken wake(View& view, const InstanceId& id, Delivery delivery, const Cause& cause) {
    Instance& instance = view.edit(id);
    const std::uint64_t index = instance.index;
    const Winner winner{
        .instance = id, .index = index, .type = delivery.type, .name = delivery.name};
    view.record(winner);
    view.record(Step{.instance = id,
                     .index = index,
                     .name = delivery.name,
                     .value = delivery.value,
                     .at = view.now()});
    instance.status = Status::running;
    instance.waiting.reset();
    ++instance.index;
    view.execute(instance,
                 {.type = HistoryType::delivered,
                  .payload = json::canonical(bj::object{{"index", index},
                                                        {"type", name_of(delivery.type)},
                                                        {"name", delivery.name},
                                                        {"value", delivery.value.value()}}),
                  .cause = cause});
    return {winner, std::move(delivery.value), view.now()};
}

// Ends the backoff before another attempt: the instance runs again at the same index.
Woken end_pause(View& view, const InstanceId& id, const Cause& cause) {
    Instance& instance = view.edit(id);
    instance.status = Status::running;
    instance.waiting.reset();
    view.execute(
        instance,
        {.type = HistoryType::delivered,
         .payload = json::canonical(bj::object{{"index", instance.index}, {"type", "retry"}}),
         .cause = cause});
    return {{.instance = id, .index = instance.index, .type = WinnerType::timer, .name = "retry"},
            {},
            view.now()};
}

}  // namespace

Woken deliver_event(View& view, const InstanceId& to, const Event& event, const Cause& cause) {
    const std::uint64_t index = view.find(to)->index;
    view.mail().deliver(event, to, index, view.now());
    return wake(view, to, {WinnerType::event, event.name, event.value}, cause);
}

Woken deliver_timer(View& view, const InstanceId& to, Moment due, const Cause& cause) {
    HF_ASSERT(due <= view.now(), "I24: no timer is delivered before it is due");
    if (const auto& waiting = view.find(to)->waiting; waiting && waiting->wait.retry)
        return end_pause(view, to, cause);
    const bj::object reached{{"due", to_iso8601(due)}, {"reached", to_iso8601(view.now())}};
    return wake(view, to, {WinnerType::timer, "timer", Document::of(reached)}, cause);
}

Woken deliver_completion(View& view, const InstanceId& to, const Instance& ended,
                         const Cause& cause) {
    bj::object value{{"workflow", to_string(ended.id)}, {"status", name_of(ended.status)}};
    value["result"] = ended.result ? ended.result->value() : bj::value(nullptr);
    return wake(view, to, {WinnerType::workflow, to_string(ended.id), Document::of(value)}, cause);
}

Woken deliver_cleared(View& view, const InstanceId& to, const InstanceId& cleared,
                      const Cause& cause) {
    const std::string id = to_string(cleared);
    const bj::object value{{"workflow", id}, {"status", "cleared"}, {"result", nullptr}};
    return wake(view, to, {WinnerType::workflow, id, Document::of(value)}, cause);
}

void deliver_cancellation(View& view, const InstanceId& to, const std::string& reason,
                          const Cause& cause) {
    wake(view, to,
         {WinnerType::cancelled, std::string(cancelled_step),
          Document::of(bj::object{{"reason", reason}})},
         cause);
    Program& program = *view.edit(to).program;
    program.unwinding = true;
    program.retry.reset();
}

std::vector<Woken> deliver_to_all(View& view, const Event& event, const Cause& cause) {
    const auto is_current = [&](const WaitRow& row) { return view.is_current(row); };
    std::vector<Woken> woken;
    // A wait that was registered again in this round is listed twice but delivered to once.
    for (const WaitRow& row : view.mail().all_waits(event.name, is_current))
        if (is_current(row)) woken.push_back(deliver_event(view, row.instance, event, cause));
    return woken;
}

void read_wait(ReadSet& reads, const InstanceId& id, const Wait& wait) {
    for (const std::string& name : wait.names) {
        reads.inbox(id, name);
        reads.broadcasts(name);
    }
    for (const InstanceId& workflow : wait.workflows) reads.instance(workflow, Depth::row);
}

std::optional<Woken> take_pending(View& view, const InstanceId& id, const Waiting& waiting,
                                  const Cause& cause) {
    if (const auto event = view.mail().find(*view.find(id), waiting, view.now()))
        return deliver_event(view, id, *event, cause);
    for (const InstanceId& workflow : waiting.wait.workflows) {
        const Instance* awaited = view.find(workflow);
        if (!awaited) return deliver_cleared(view, id, workflow, cause);
        if (!is_open(awaited->status)) return deliver_completion(view, id, *awaited, cause);
    }
    if (waiting.wait.until && *waiting.wait.until <= view.now())
        return deliver_timer(view, id, *waiting.wait.until, cause);
    return std::nullopt;
}

bj::object to_json(const Woken& outcome) {
    return named("delivered", {{"index", outcome.winner.index},
                               {"type", name_of(outcome.winner.type)},
                               {"name", outcome.winner.name},
                               {"value", outcome.value.value()}});
}

}  // namespace holdfast::op
