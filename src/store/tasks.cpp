#include "store/tasks.h"

#include <algorithm>

#include "base/assert.h"

namespace holdfast {

const HumanTask* TaskBox::find(const TaskId& id) const {
    if (const auto found = tasks_.find(id); found != tasks_.end()) return &found->second;
    if (reads_.tasks().contains(id)) return nullptr;
    LoadMore more;
    more.also.task(id);
    throw more;
}

std::vector<HumanTask> TaskBox::open(const InstanceId& id) const {
    if (!reads_.open_tasks().contains(id)) {
        LoadMore more;
        more.also.open_tasks(id);
        throw more;
    }
    std::vector<HumanTask> open;
    for (const auto& [task, one] : tasks_)
        if (one.instance == id && is_open(one.state)) open.push_back(one);
    return open;
}

const HumanTask& TaskBox::accept(HumanTask task, Entry entry, Moment now) {
    const auto found = tasks_.find(task.id);
    const HumanTask* before = found == tasks_.end() ? nullptr : &found->second;
    HF_ASSERT(!before || is_open(before->state), "I8: a task ends once");
    const Version stored = before ? before->version : 0;
    task.version = stored + 1;
    task.updated_at = now;
    if (!is_open(task.state)) task.ended_at = now;
    entry.caller.tenant = task.tenant;
    undo_.append(changes_.events, TaskEvent{.task = task.id,
                                            .version = task.version,
                                            .instance = task.instance,
                                            .type = entry.type,
                                            .caller = std::move(entry.caller),
                                            .detail = std::move(entry.detail),
                                            .operation = entry.operation,
                                            .at = now});
    if (!before || changes_.inserted.contains(task.id)) {
        undo_.assign(changes_.inserted, task.id, task);
    } else {
        undo_.emplace(changes_.updated, task.id, TaskChanges::Update{{}, stored});
        undo_.change(changes_.updated.at(task.id)).task = task;
    }
    const TaskId id = task.id;
    undo_.assign(tasks_, id, std::move(task));
    return tasks_.at(id);
}

void TaskBox::clear(const InstanceId& id) {
    const auto is_its = [&](const auto& item) { return item.second.instance == id; };
    undo_.erase_if(tasks_, is_its);
    undo_.erase_if(changes_.inserted, is_its);
    undo_.erase_if(changes_.updated,
                   [&](const auto& item) { return item.second.task.instance == id; });
    const auto is_event = [&](const TaskEvent& event) { return event.instance == id; };
    if (std::ranges::any_of(changes_.events, is_event))
        std::erase_if(undo_.change(changes_.events), is_event);
}

}  // namespace holdfast
