#include "store/postgres/read/tasks.h"

#include "store/load_document.h"
#include "store/postgres/connection/columns.h"
#include "store/sql.h"
#include "store/tables/task_tables.h"

namespace holdfast::postgres {
namespace {

HumanTask task_row(Row& row) {
    const auto instance = row.id<InstanceId>();
    auto task = read_row<tables::Tasks>(row);
    task.instance = instance;
    return task;
}

}  // namespace

void query_tasks(Trip& trip, const ReadSet& reads, Loaded& loaded) {
    const auto take = [&loaded](Row& row) {
        HumanTask task = task_row(row);
        const TaskId id = task.id;
        loaded.tasks.emplace(id, std::move(task));
    };
    if (!reads.tasks().empty())
        trip.query_rows("load_tasks", Parameters().array(reads.tasks()), take);
    if (!reads.open_tasks().empty())
        trip.query_rows("load_open_tasks", Parameters().array(reads.open_tasks()), take);
}

Reply<std::optional<HumanTask>> task(Connection& connection, const TaskId& id) {
    connection.queue("load_tasks", Parameters().array(std::vector{id}));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    if (results->front().size() == 0) return std::nullopt;
    Row row = results->front()[0];
    return task_row(row);
}

Parameters task_parameters(const TaskQuery& query) {
    Parameters parameters;
    parameters.add(query.after).add(std::uint64_t{query.limit + 1});
    parameters.add(query.assignee).add(query.holder);
    parameters.add(query.candidate_user).add(query.candidate_group);
    parameters.add(query.definition).add(query.business_key).add(query.queue).add(query.instance);
    if (query.states.empty())
        parameters.null();
    else
        parameters.array(query.states, [](TaskState state) { return name_of(state); });
    parameters.add(query.due_before);
    parameters.add(query.only_open() ? std::optional(true) : std::nullopt);
    std::optional<Jsonb> parts;
    if (auto text = parts_to_json(query.business_parts)) parts = Jsonb{*std::move(text)};
    parameters.add(parts).add(query.tenant);
    return parameters;
}

Reply<TaskPage> tasks(Connection& connection, const TaskQuery& query) {
    // Not prepared, so that it is planned for the filters that are present.
    connection.queue_once(sql::text_of(sql::postgres_statements(), "read_tasks"),
                          task_parameters(query));
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    TaskPage page;
    const std::size_t size = results->front().page_size(query.limit);
    for (Row row : results->front()) {
        if (page.items.size() == size) {
            if (size > 0) page.next = page.items.back().id;
            break;
        }
        page.items.push_back(task_row(row));
    }
    return page;
}

Reply<TaskEventPage> task_events(Connection& connection, const TaskEventQuery& query) {
    connection.queue(
        "load_task_events",
        Parameters().add(query.task).add(query.from).add(std::uint64_t{query.limit + 1}));
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    TaskEventPage page;
    const std::size_t size = results->front().page_size(query.limit);
    for (Row row : results->front()) {
        if (page.items.size() == size) {
            if (size > 0) page.next = page.items.back().version + 1;
            break;
        }
        page.items.push_back(read_row<tables::TaskEvents>(row));
    }
    return page;
}

}  // namespace holdfast::postgres
