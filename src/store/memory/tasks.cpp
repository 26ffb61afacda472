#include "store/memory/tasks.h"

namespace holdfast::memory {

void load_tasks(const Tables& tables, const ReadSet& reads, Loaded& loaded) {
    for (const TaskId& id : reads.tasks())
        if (const auto found = tables.tasks.find(id); found != tables.tasks.end())
            loaded.tasks.insert(*found);
    if (reads.open_tasks().empty()) return;
    for (const auto& [id, task] : tables.tasks)
        if (is_open(task.state) && reads.open_tasks().contains(task.instance))
            loaded.tasks.emplace(id, task);
}

Result<void> check_tasks(const Tables& tables, const Changes& changes) {
    for (const auto& [id, update] : changes.tasks->updated) {
        const auto found = tables.tasks.find(id);
        if (found == tables.tasks.end() || found->second.version != update.before)
            return fail(ErrorCode::refused, "the task was changed by another round");
    }
    for (const auto& [id, task] : changes.tasks->inserted)
        if (tables.tasks.contains(id)) return fail(ErrorCode::refused, "the task already exists");
    return {};
}

std::size_t count_task_rows(const Changes& changes) {
    return changes.tasks->inserted.size() + changes.tasks->updated.size() +
           changes.tasks->events.size();
}

void apply_tasks(Tables& tables, const Changes& changes) {
    for (const InstanceChange* change : changes.instances) {
        if (!change->cleared || !change->before) continue;
        const InstanceId& id = change->before->id;
        std::erase_if(tables.tasks, [&](const auto& item) { return item.second.instance == id; });
        std::erase_if(tables.task_events,
                      [&](const auto& item) { return item.second.instance == id; });
    }
    for (const auto& [id, task] : changes.tasks->inserted) tables.tasks.emplace(id, task);
    for (const auto& [id, update] : changes.tasks->updated) tables.tasks[id] = update.task;
    for (const TaskEvent& event : changes.tasks->events)
        tables.task_events.emplace(std::pair{event.task, event.version}, event);
}

std::optional<TaskId> active_task(const Tables& tables, const InstanceId& id) {
    const HumanTask* oldest = nullptr;
    for (const auto& [key, task] : tables.tasks)
        if (task.instance == id && is_open(task.state) &&
            (!oldest || task.created_at < oldest->created_at))
            oldest = &task;
    return oldest ? std::optional(oldest->id) : std::nullopt;
}

TaskPage page_of_tasks(const Tables& tables, const TaskQuery& query) {
    TaskPage page;
    std::size_t bytes = 0;
    for (auto at = query.after ? tables.tasks.upper_bound(*query.after) : tables.tasks.begin();
         at != tables.tasks.end(); ++at) {
        if (!matches(query, at->second)) continue;
        bytes += bytes_of(at->second);
        if (page.items.size() == query.limit ||
            (bytes > query.budget.bytes && !page.items.empty())) {
            page.next = page.items.back().id;
            break;
        }
        page.items.push_back(at->second);
    }
    return page;
}

}  // namespace holdfast::memory
