// Human tasks as one round sees them: the loaded ones, with the changes of its operations.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "model/task.h"
#include "store/read_set.h"
#include "store/undo_log.h"

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
    // `reads` and `undo` outlive the box.
    TaskBox(const ReadSet& reads, std::map<TaskId, HumanTask> loaded, UndoLog& undo)
        : reads_(reads), undo_(undo), tasks_(std::move(loaded)) {}

    // Null: there is no such task.
    const HumanTask* find(const TaskId& id) const;
    // The tasks of an instance that have not ended.
    std::vector<HumanTask> open(const InstanceId& id) const;

    struct Entry {
        TaskEventType type;
        Caller caller;
        Document detail;
        OperationId operation;
    };
    // Stores a new or changed task: version + 1, and one task event, which is of the task's tenant.
    const HumanTask& accept(HumanTask task, Entry entry, Moment now);
    // Its instance is cleared. The store deletes the tasks in the tables, read or not.
    void clear(const InstanceId& id);

    const TaskChanges& changes() const { return changes_; }

private:
    const ReadSet& reads_;
    UndoLog& undo_;
    std::map<TaskId, HumanTask> tasks_;  // with the changes of the round
    TaskChanges changes_;
};

}  // namespace holdfast
