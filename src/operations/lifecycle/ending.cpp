#include "operations/lifecycle/ending.h"

#include <map>
#include <set>

#include "base/defect.h"
#include "operations/events/deliver.h"
#include "operations/tasks/task_rules.h"

namespace holdfast::op {
namespace {

// These instances and those that wait for their end: the waits of all of them may end here.
std::set<InstanceId> involved(const View& view, const std::vector<InstanceId>& ids) {
    std::set<InstanceId> all(ids.begin(), ids.end());
    for (const InstanceId& id : ids)
        for (const WaitRow& waiter : view.completion_waiters(id)) all.insert(waiter.instance);
    return all;
}

// Whether `count` waits of instances that are not busy were read, or all of them. Waits that this
// round registered do not count: unread ones are older.
bool has_free_waits(const View& view, const std::string& name, std::size_t count,
                    const std::set<InstanceId>& busy) {
    if (!view.mail().has_waits(name)) return false;
    std::size_t free = 0;
    const auto is_last = [&](const WaitRow& row) {
        return view.is_current(row) && !busy.contains(row.instance) && ++free == count;
    };
    return view.mail().oldest_wait(name, is_last).has_value();
}

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
    HF_ASSERT(wait.has_value(), "enough waits were read before anything changed");
    if (*wait)
        deliver_event(view, (*wait)->instance, event, cause);
    else
        view.mail().release(event);
}

}  // namespace

void read_end(ReadSet& reads, const InstanceId& id) {
    reads.whole_inbox(id);
    reads.completion_waiters(id);
    reads.open_tasks(id);
}

// Events that become broadcasts are delivered to waits: at least as many waits as such events must
// have been read, not counting instances that this end affects.
std::expected<void, LoadMore> can_end(const View& view, const std::vector<InstanceId>& ids) {
    const std::set<InstanceId> busy = involved(view, ids);
    std::map<std::string, std::size_t> wanted;
    std::set<std::string> kept;
    for (const InstanceId& id : ids)
        for (const Event& event : view.mail().inbox(id)) {
            if (event.on_target_ended != OnTargetEnded::broadcast) continue;
            ++wanted[event.name];
            if (event.keep == Keep::yes) kept.insert(event.name);
        }
    LoadMore more;
    bool missing = false;
    for (const InstanceId& id : ids) {
        if (view.mail().has_whole_inbox(id) && view.has_completion_waiters(id) &&
            view.tasks().has_open(id))
            continue;
        read_end(more.also, id);
        missing = true;
    }
    for (const std::string& name : kept) {
        if (!view.mail().may_have_more_waits(name)) continue;
        more.also.all_waits(name);
        more.also.channel_size(name);
        missing = true;
    }
    for (const auto& [name, count] : wanted) {
        if (has_free_waits(view, name, count, busy)) continue;
        for (std::size_t i = 0; i < count + busy.size(); ++i) more.also.waits(name);
        more.also.channel_size(name);  // required with the waits of a channel
        missing = true;
    }
    if (missing) return std::unexpected(std::move(more));
    return {};
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
