#include "store/tasks.h"

#include "base/assert.h"

namespace holdfast {

const HumanTask* TaskBox::find(const TaskId& id) const {
    const auto found = tasks_.find(id);
    return found == tasks_.end() ? nullptr : &found->second;
}

std::vector<HumanTask> TaskBox::open(const InstanceId& id) const {
    std::vector<HumanTask> open;
    for (const auto& [task, one] : tasks_)
        if (one.instance == id && is_open(one.state)) open.push_back(one);
    return open;
}

const HumanTask& TaskBox::accept(HumanTask task, Entry entry, Moment now) {
    const HumanTask* before = find(task.id);
    HF_ASSERT(!before || is_open(before->state), "I8: a task ends once");
    const Version stored = before ? before->version : 0;
    task.version = stored + 1;
    task.updated_at = now;
    if (!is_open(task.state)) task.ended_at = now;
    changes_.events.push_back({.task = task.id,
                               .version = task.version,
                               .instance = task.instance,
                               .type = entry.type,
                               .user = std::move(entry.user),
                               .detail = std::move(entry.detail),
                               .operation = entry.operation,
                               .at = now});
    if (!before || changes_.inserted.contains(task.id))
        changes_.inserted[task.id] = task;
    else
        changes_.updated.try_emplace(task.id, TaskChanges::Update{{}, stored}).first->second.task =
            task;
    ++writes_;
    const TaskId id = task.id;
    return tasks_[id] = std::move(task);
}

void TaskBox::clear(const InstanceId& id) {
    const auto is_its = [&](const auto& item) { return item.second.instance == id; };
    std::erase_if(tasks_, is_its);
    std::erase_if(changes_.inserted, is_its);
    std::erase_if(changes_.updated,
                  [&](const auto& item) { return item.second.task.instance == id; });
    std::erase_if(changes_.events, [&](const TaskEvent& event) { return event.instance == id; });
    ++writes_;
}

}  // namespace holdfast
