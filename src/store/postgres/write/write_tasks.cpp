#include <algorithm>
#include <set>

#include "store/load_document.h"
#include "store/postgres/write/statement_queue.h"

namespace holdfast::postgres {
namespace {

std::optional<std::string_view> text_of(const std::optional<Document>& document) {
    if (!document) return std::nullopt;
    return document->text();
}

std::optional<Jsonb> parts_of(const HumanTask& task) {
    auto parts = parts_to_json(task.business);
    if (!parts) return std::nullopt;
    return Jsonb{*std::move(parts)};
}

void queue_inserted(StatementQueue& queue, const TaskChanges& tasks) {
    std::vector<const HumanTask*> rows;
    for (const auto& [id, task] : tasks.inserted) rows.push_back(&task);
    const auto spec = [](auto read) {
        return [read](const HumanTask* task) { return read(task->spec); };
    };
    const auto list = [&](std::vector<std::string> TaskSpec::* names) {
        return spec([names](const TaskSpec& one) { return Jsonb{paths_to_json(one.*names)}; });
    };
    Parameters columns;
    columns.array(rows, &HumanTask::id).array(rows, &HumanTask::instance);
    columns.array(rows, &HumanTask::definition);
    columns.array(rows, [](const HumanTask* task) { return unless_empty(task->business.key); });
    columns.array(rows, [](const HumanTask* task) { return parts_of(*task); });
    columns.array(rows, spec([](const TaskSpec& one) { return one.name; }));
    columns.array(rows, [](const HumanTask* task) { return unless_empty(task->spec.queue); });
    columns.array(rows, spec([](const TaskSpec& one) { return one.assignee; }));
    columns.array(rows, list(&TaskSpec::candidate_users));
    columns.array(rows, list(&TaskSpec::candidate_groups));
    columns.array(rows, spec([](const TaskSpec& one) { return one.payload.text(); }));
    columns.array(rows, list(&TaskSpec::expected_outputs));
    columns.array(rows, [](const HumanTask* task) { return text_of(task->outputs); });
    columns.array(rows, [](const HumanTask* task) { return text_of(task->error); });
    columns.array(rows, spec([](const TaskSpec& one) { return one.due_at; }));
    columns.array(rows, spec([](const TaskSpec& one) { return one.priority; }));
    columns.array(rows, [](const HumanTask* task) { return name_of(task->state); });
    columns.array(rows, &HumanTask::holder).array(rows, &HumanTask::version);
    columns.array(rows, &HumanTask::created_at).array(rows, &HumanTask::updated_at);
    columns.array(rows, &HumanTask::ended_at);
    queue.write("insert_tasks", rows.size(), std::move(columns));
}

void queue_updated(StatementQueue& queue, const TaskChanges& tasks) {
    const auto& rows = tasks.updated;
    const auto now = [](auto read) {
        return [read](const auto& item) { return std::invoke(read, item.second.task); };
    };
    Parameters columns;
    columns.array(rows, [](const auto& item) { return item.first; });
    columns.array(rows, [](const auto& item) { return item.second.before; });
    columns.array(rows, now([](const HumanTask& task) { return task.spec.assignee; }));
    columns.array(rows, now([](const HumanTask& task) { return text_of(task.outputs); }));
    columns.array(rows, now([](const HumanTask& task) { return text_of(task.error); }));
    columns.array(rows, now([](const HumanTask& task) { return name_of(task.state); }));
    columns.array(rows, now(&HumanTask::holder)).array(rows, now(&HumanTask::version));
    columns.array(rows, now(&HumanTask::updated_at)).array(rows, now(&HumanTask::ended_at));
    queue.write("update_tasks", rows.size(), std::move(columns));
}

void queue_events(StatementQueue& queue, const TaskChanges& tasks) {
    std::vector<const TaskEvent*> rows;
    for (const TaskEvent& event : tasks.events) rows.push_back(&event);
    std::ranges::sort(rows, {},
                      [](const TaskEvent* row) { return std::pair{row->task, row->version}; });
    Parameters columns;
    columns.array(rows, &TaskEvent::task).array(rows, &TaskEvent::version);
    columns.array(rows, &TaskEvent::instance);
    columns.array(rows, [](const TaskEvent* row) { return name_of(row->type); });
    columns.array(rows, [](const TaskEvent* row) { return unless_empty(row->user); });
    columns.array(rows, [](const TaskEvent* row) -> const auto& { return row->detail.text(); });
    columns.array(rows, &TaskEvent::operation).array(rows, &TaskEvent::at);
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
