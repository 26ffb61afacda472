#include "store/sqlite/rows/task_rows.h"

#include <algorithm>

#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/rows.h"
#include "store/tables/task_tables.h"

namespace holdfast::sqlite {
namespace {

constexpr std::size_t task_batch = 200;
constexpr std::size_t most_tasks_looked_at = 20'000;
constexpr std::size_t few = 2'000;

HumanTask read_task(Statement& row) {
    const auto instance = row.id<InstanceId>();
    auto task = read_row<tables::Tasks>(row);
    task.instance = instance;
    return task;
}

// Whether the query has a selective filter; if not, the due time may be the most selective one.
bool is_narrow(const TaskQuery& query) {
    return query.instance || query.holder || query.assignee || query.candidate_user ||
           query.business_key || !query.business_parts.empty() || query.candidate_group ||
           query.queue;
}

// The statement that finds candidates by the most selective index. Open tasks have their own
// indexes because ended ones accumulate.
Statement& candidates(Database& database, const TaskQuery& query, const TaskId& after) {
    const std::uint64_t limit = task_batch;
    const auto by = [&](std::string_view any, std::string_view open,
                        const auto& key) -> Statement& {
        return database[query.only_open() ? open : any].bind(after, limit, key);
    };
    if (query.instance)
        return by("find_tasks_of_instance", "find_open_tasks_of_instance", *query.instance);
    if (query.business_key)
        return by("find_tasks_by_business_key", "find_tasks_by_business_key", *query.business_key);
    if (!query.business_parts.empty()) {
        const auto& [name, value] = *query.business_parts.begin();
        return database["find_tasks_by_part"].bind(after, limit, name, value);
    }
    if (query.holder) return by("find_tasks_by_holder", "find_open_tasks_by_holder", *query.holder);
    if (query.assignee)
        return by("find_tasks_by_assignee", "find_open_tasks_by_assignee", *query.assignee);
    if (query.candidate_user)
        return by("find_tasks_by_user", "find_open_tasks_by_user", *query.candidate_user);
    if (query.candidate_group)
        return by("find_tasks_by_group", "find_open_tasks_by_group", *query.candidate_group);
    if (query.queue) return by("find_tasks_by_queue", "find_open_tasks_by_queue", *query.queue);
    if (query.definition)
        return by("find_tasks_by_definition", "find_open_tasks_by_definition", *query.definition);
    return database[query.only_open() ? "find_open_tasks" : "find_tasks"].bind(after, limit);
}

Result<std::vector<TaskId>> ids_of(Statement& statement) {
    std::vector<TaskId> ids;
    HF_CHECK(for_each_row(statement, [&](Statement& row) { ids.push_back(row.id<TaskId>()); }));
    return ids;
}

// The next tasks that may match, in order; fewer than a batch: there are no more. The index on due
// times has another order: if few tasks are due, all are read and sorted; if many are, a scan by id
// finds enough of them soon.
Result<std::vector<TaskId>> next_candidates(Database& database, const TaskQuery& query,
                                            const TaskId& after) {
    if (!query.due_before || is_narrow(query)) return ids_of(candidates(database, query, after));
    const char* statement = query.only_open() ? "find_open_tasks_due" : "find_tasks_due";
    HF_TRY(auto ids, ids_of(database[statement].bind(*query.due_before, std::uint64_t{few + 1})));
    if (ids.size() > few) return ids_of(candidates(database, query, after));
    std::ranges::sort(ids);
    ids.erase(ids.begin(), std::ranges::upper_bound(ids, after));
    if (ids.size() > task_batch) ids.resize(task_batch);
    return ids;
}

}  // namespace

Result<std::optional<HumanTask>> load_task(Database& database, const TaskId& id) {
    std::optional<HumanTask> task;
    HF_CHECK(for_each_row(database["load_tasks"].bind(id),
                          [&](Statement& row) { task = read_task(row); }));
    return task;
}

Result<void> load_tasks(WriteSide& side, const ReadSet& reads, Loaded& loaded) {
    Database& database = *side.database;
    for (const TaskId& id : reads.tasks()) {
        HF_TRY(auto task, load_task(database, id));
        if (task) loaded.tasks.emplace(id, *std::move(task));
    }
    for (const InstanceId& id : reads.open_tasks()) {
        if (const Resident* known = side.residents.find(id); known && known->no_tasks) continue;
        HF_CHECK(for_each_row(database["load_open_tasks"].bind(id), [&](Statement& row) {
            HumanTask task = read_task(row);
            const TaskId key = task.id;
            loaded.tasks.emplace(key, std::move(task));
        }));
    }
    return {};
}

Result<TaskPage> read_tasks(Database& database, const TaskQuery& query) {
    TaskPage page;
    std::size_t bytes = 0;
    TaskId after = query.after.value_or(TaskId{});
    for (std::size_t looked_at = 0; looked_at < most_tasks_looked_at;) {
        HF_TRY(const auto ids, next_candidates(database, query, after));
        for (const TaskId& id : ids) {
            HF_TRY(auto task, load_task(database, id));
            const bool match = task && matches(query, *task);
            if (match) bytes += bytes_of(*task);
            if (match && (page.items.size() == query.limit ||
                          (bytes > query.budget.bytes && !page.items.empty()))) {
                page.next = after;  // there is at least one more
                return page;
            }
            if (match) page.items.push_back(*std::move(task));
            after = id;
        }
        if (ids.size() < task_batch) return page;
        looked_at += ids.size();
    }
    page.next = after;
    return page;
}

Result<std::optional<TaskId>> find_active_task(Database& database, std::int64_t instance) {
    HF_TRY(const auto ids, ids_of(database["find_active_task"].bind(instance)));
    return ids.empty() ? std::nullopt : std::optional(ids.front());
}

Result<TaskEventPage> read_task_events(Database& database, const TaskEventQuery& query) {
    TaskEventPage page;
    HF_TRY(const bool more,
           read_page<TaskEvent>(database["load_task_events"].bind(query.task, query.from,
                                                                  std::uint64_t{query.limit + 1}),
                                query.limit, query.budget.bytes, page.items,
                                read_row<tables::TaskEvents>));
    if (more && !page.items.empty()) page.next = page.items.back().version + 1;
    return page;
}

}  // namespace holdfast::sqlite
