#include "operations/lifecycle/ending.h"

#include "operations/events/deliver.h"
#include "operations/tasks/task_rules.h"

namespace holdfast::op {
namespace {

// Of the events that become broadcasts, as many as there are waits for are delivered at once (I1).
void offer_to_others(View& view, const InstanceId& id, const Cause& cause) {
    const auto is_current = [&](const WaitRow& row) { return view.is_current(row); };
    for (const EventKey& key : view.mail().keys_to_release(id)) {
        const ChannelKey channel{view.find(id)->tenant, key};
        while (const auto wait = view.mail().oldest_wait(channel, is_current)) {
            const auto event = view.mail().next_release(id, key, view.now());
            if (!event) break;
            if (event->keep == Keep::yes) {
                deliver_to_all(view, *event, cause);
                view.mail().release(*event);
            } else {
                deliver_event(view, wait->instance, *view.current(*wait), *event, cause);
            }
        }
    }
}

}  // namespace

void read_end(ReadSet& reads, const InstanceId& id) {
    reads.ending_inbox(id);
    reads.completion_waiters(id);
    reads.open_tasks(id);
}

Version end_instance(View& view, const InstanceId& id, Ending ending, const Cause& cause) {
    Instance& instance = view.edit(id);
    instance.status = ending.status;
    instance.completed_at = view.now();
    instance.result = std::move(ending.result);
    instance.waits.clear();
    view.execute(instance,
                 {.type = ending.type, .payload = std::move(ending.payload), .cause = cause});
    cancel_open_tasks(view, id, cause);
    offer_to_others(view, id, cause);
    view.mail().end_inbox(*view.find(id), ending.status, view.now());
    const Version version = instance.version;
    deliver_completions(view, view.completion_waiters(id), id, cause);
    return version;
}

}  // namespace holdfast::op
