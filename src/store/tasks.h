// Human tasks as one round sees them: the loaded ones, with the changes of its operations.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "model/task.h"

namespace holdfast {

// What a commit writes about tasks.
struct TaskChanges {
    struct Update {
        HumanTask task;
        Version before = 0;  // the stored version: the row guard (I8)
    };
    std::map<TaskId, HumanTask> inserted;
    std::map<TaskId, Update> updated;
    std::vector<TaskEvent> events;  // inserted

    bool empty() const { return inserted.empty() && updated.empty() && events.empty(); }
};

class TaskBox {
public:
    // `complete`: the instances all of whose open tasks were loaded.
    TaskBox(std::set<InstanceId> complete, std::map<TaskId, HumanTask> loaded)
        : complete_(std::move(complete)), tasks_(std::move(loaded)) {}

    // Null: there is no such task, or the reads do not name it.
    const HumanTask* find(const TaskId& id) const;
    // The tasks of an instance that have not ended; all of them where has_open() says so.
    std::vector<HumanTask> open(const InstanceId& id) const;
    bool has_open(const InstanceId& id) const { return complete_.contains(id); }

    struct Entry {
        TaskEventType type;
        std::string user;
        Document detail;
        OperationId operation;
    };
    // Stores a new or changed task: version + 1, and one task event.
    const HumanTask& accept(HumanTask task, Entry entry, Moment now);
    // Its instance is cleared. The store deletes the tasks in the tables, read or not.
    void clear(const InstanceId& id);

    const TaskChanges& changes() const { return changes_; }
    std::size_t writes() const { return writes_; }

private:
    std::set<InstanceId> complete_;
    std::map<TaskId, HumanTask> tasks_;  // with the changes of the round
    TaskChanges changes_;
    std::size_t writes_ = 0;
};

}  // namespace holdfast
