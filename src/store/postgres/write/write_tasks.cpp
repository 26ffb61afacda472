#include <algorithm>
#include <set>

#include "store/postgres/connection/columns.h"
#include "store/postgres/write/statement_queue.h"
#include "store/tables/task_tables.h"

namespace holdfast::postgres {
namespace {

void queue_inserted(StatementQueue& queue, const TaskChanges& tasks) {
    std::vector<const HumanTask*> rows;
    for (const auto& [id, task] : tasks.inserted) rows.push_back(&task);
    Parameters columns;
    columns.array(rows, &HumanTask::instance);
    add_columns<tables::Tasks>(columns, rows,
                               [](const HumanTask* task) -> const auto& { return *task; });
    queue.write("insert_tasks", rows.size(), std::move(columns));
}

void queue_updated(StatementQueue& queue, const TaskChanges& tasks) {
    const auto& rows = tasks.updated;
    Parameters columns;
    columns.array(rows, [](const auto& item) { return item.first; });
    columns.array(rows, [](const auto& item) { return item.second.before; });
    add_columns<tables::TaskProgress>(
        columns, rows, [](const auto& item) -> const auto& { return item.second.task; });
    queue.write("update_tasks", rows.size(), std::move(columns));
}

void queue_events(StatementQueue& queue, const TaskChanges& tasks) {
    std::vector<const TaskEvent*> rows;
    for (const TaskEvent& event : tasks.events) rows.push_back(&event);
    std::ranges::sort(rows, {},
                      [](const TaskEvent* row) { return std::pair{row->task, row->version}; });
    Parameters columns;
    add_columns<tables::TaskEvents>(columns, rows,
                                    [](const TaskEvent* event) -> const auto& { return *event; });
    queue.write("insert_task_events", rows.size(), std::move(columns));
}

}  // namespace

// The tasks of a cleared instance are deleted with its row.
void queue_tasks(StatementQueue& queue, const Changes& changes) {
    std::set<InstanceId> cleared;
    for (const InstanceChange* change : changes.instances)
        if (change->cleared && change->before) cleared.insert(change->before->id);
    queue.write("delete_task_events", cleared.size(), Parameters().array(cleared));
    queue_inserted(queue, *changes.tasks);
    queue_updated(queue, *changes.tasks);
    queue_events(queue, *changes.tasks);
}

}  // namespace holdfast::postgres
