#include "store/sqlite/task_rows.h"

#include "store/load_document.h"
#include "store/sqlite/rows.h"

namespace holdfast::sqlite {
namespace {

constexpr std::size_t batch = 200;
constexpr std::size_t most_rows_looked_at = 20'000;

Document value_of(Statement& row) {
    std::string text = row.text();
    const Digest checksum = sha256(text);
    return Document::trusted(std::move(text), checksum);
}
std::string text_of(Statement& row) { return row.text(); }
Moment moment_of(Statement& row) { return row.moment(); }

HumanTask read_task(Statement& row) {
    HumanTask task;
    TaskSpec& spec = task.spec;
    task.id = row.id<TaskId>();
    task.instance = row.id<InstanceId>();
    task.definition = row.text();
    task.business_key = row.optional(text_of).value_or("");
    spec.name = row.text();
    spec.queue = row.optional(text_of).value_or("");
    spec.assignee = row.optional(text_of);
    spec.candidate_users = paths_from_json(row.text());
    spec.candidate_groups = paths_from_json(row.text());
    spec.payload = value_of(row);
    spec.expected_outputs = paths_from_json(row.text());
    task.outputs = row.optional(value_of);
    task.error = row.optional(value_of);
    spec.due_at = row.optional(moment_of);
    spec.priority = static_cast<std::uint32_t>(row.integer());
    task.state = parse_task_state(row.view()).value_or(TaskState::failed);
    task.holder = row.optional(text_of);
    task.version = static_cast<Version>(row.integer());
    task.created_at = row.moment();
    task.updated_at = row.moment();
    task.ended_at = row.optional(moment_of);
    return task;
}

TaskEvent read_task_event(Statement& row, const TaskId& task) {
    TaskEvent event{.task = task};
    event.version = static_cast<Version>(row.integer());
    event.instance = row.id<InstanceId>();
    event.type = parse_task_event_type(row.view()).value_or(TaskEventType::created);
    event.user = row.optional(text_of).value_or("");
    event.detail = value_of(row);
    event.operation = row.id<OperationId>();
    event.at = row.moment();
    return event;
}

// The statement that finds candidates by the narrowest index there is.
Statement& candidates(Database& database, const TaskQuery& query, const TaskId& after) {
    const std::uint64_t limit = batch;
    const auto by = [&](std::string_view statement, const auto& key) -> Statement& {
        return database[statement].bind(after, limit, key);
    };
    if (query.instance) return by("find_tasks_of_instance", *query.instance);
    if (query.holder) return by("find_tasks_by_holder", *query.holder);
    if (query.assignee) return by("find_tasks_by_assignee", *query.assignee);
    if (query.candidate_user) return by("find_tasks_by_user", *query.candidate_user);
    if (query.business_key) return by("find_tasks_by_business_key", *query.business_key);
    if (query.candidate_group) return by("find_tasks_by_group", *query.candidate_group);
    if (query.queue) return by("find_tasks_by_queue", *query.queue);
    if (query.due_before) return by("find_tasks_due", *query.due_before);
    if (query.definition) return by("find_tasks_by_definition", *query.definition);
    return database[query.only_open() ? "find_open_tasks" : "find_tasks"].bind(after, limit);
}

}  // namespace

Result<std::optional<HumanTask>> load_task(Database& database, const TaskId& id) {
    std::optional<HumanTask> task;
    HF_CHECK(for_each_row(database["load_tasks"].bind(id),
                          [&](Statement& row) { task = read_task(row); }));
    return task;
}

Result<void> load_tasks(Database& database, const ReadSet& reads, Loaded& loaded) {
    for (const TaskId& id : reads.tasks()) {
        HF_TRY(auto task, load_task(database, id));
        if (task) loaded.tasks.emplace(id, *std::move(task));
    }
    for (const InstanceId& id : reads.open_tasks())
        HF_CHECK(for_each_row(database["load_open_tasks"].bind(id), [&](Statement& row) {
            HumanTask task = read_task(row);
            const TaskId key = task.id;
            loaded.tasks.emplace(key, std::move(task));
        }));
    return {};
}

Result<TaskPage> read_tasks(Database& database, const TaskQuery& query) {
    TaskPage page;
    TaskId after = query.after.value_or(TaskId{});
    for (std::size_t looked_at = 0; looked_at < most_rows_looked_at;) {
        std::vector<TaskId> ids;
        HF_CHECK(for_each_row(candidates(database, query, after),
                              [&](Statement& row) { ids.push_back(row.id<TaskId>()); }));
        for (const TaskId& id : ids) {
            HF_TRY(auto task, load_task(database, id));
            const bool match = task && matches(query, *task);
            if (match && page.items.size() == query.limit) {
                page.next = after;  // one more exists: that is the next page
                return page;
            }
            if (match) page.items.push_back(*std::move(task));
            after = id;
        }
        if (ids.size() < batch) return page;
        looked_at += ids.size();
    }
    page.next = after;
    return page;
}

Result<std::vector<TaskEvent>> load_task_events(Database& database, const TaskId& id) {
    std::vector<TaskEvent> events;
    HF_CHECK(for_each_row(database["load_task_events"].bind(id),
                          [&](Statement& row) { events.push_back(read_task_event(row, id)); }));
    return events;
}

}  // namespace holdfast::sqlite
