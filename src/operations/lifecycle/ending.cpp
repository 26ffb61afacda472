#include "operations/lifecycle/ending.h"

#include "base/defect.h"
#include "operations/events/deliver.h"
#include "operations/tasks/task_rules.h"

namespace holdfast::op {
namespace {

void settle(View& view, const Event& event, Status status, const Cause& cause) {
    if (is_expired(event, view.now()))
        return view.mail().end(event, EventFate::expired, view.now());
    switch (event.on_target_ended) {
        case OnTargetEnded::discard:
            return view.mail().end(event, EventFate::discarded, view.now());
        case OnTargetEnded::dead_letter: return view.mail().bury(event, status, view.now());
        case OnTargetEnded::broadcast: break;
    }
    if (event.keep == Keep::yes) {
        deliver_to_all(view, event, cause);
        return view.mail().release(event);
    }
    const auto wait = view.mail().oldest_wait(
        event.name, [&](const WaitRow& row) { return view.is_current(row); });
    if (wait)
        deliver_event(view, wait->instance, event, cause);
    else
        view.mail().release(event);
}

}  // namespace

void read_end(ReadSet& reads, const InstanceId& id) {
    reads.whole_inbox(id);
    reads.completion_waiters(id);
    reads.open_tasks(id);
}

Version end_instance(View& view, const InstanceId& id, Ending ending, const Cause& cause) {
    const std::vector<Event> inbox = view.mail().inbox(id);
    Instance& instance = view.edit(id);
    instance.status = ending.status;
    instance.completed_at = view.now();
    instance.result = std::move(ending.result);
    instance.waiting.reset();
    view.execute(instance,
                 {.type = ending.type, .payload = std::move(ending.payload), .cause = cause});
    cancel_open_tasks(view, id, cause);
    if (!defect("inbox_left_behind"))
        for (const Event& event : inbox) settle(view, event, ending.status, cause);
    if (defect("completion_not_told")) return instance.version;
    for (const WaitRow& waiter : view.completion_waiters(id))
        deliver_completion(view, waiter.instance, instance, cause);
    return instance.version;
}

}  // namespace holdfast::op
