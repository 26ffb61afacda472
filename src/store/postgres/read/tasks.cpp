#include "store/postgres/read/tasks.h"

#include "store/load_document.h"
#include "store/postgres/load/decode.h"
#include "store/sql.h"

namespace holdfast::postgres {
namespace {

std::optional<Document> optional_document(Row& row) {
    auto text = row.optional(&Row::text);
    if (!text) return std::nullopt;
    return canonical_document(*std::move(text));
}

HumanTask task_row(Row& row) {
    HumanTask task;
    TaskSpec& spec = task.spec;
    task.id = row.id<TaskId>();
    task.instance = row.id<InstanceId>();
    task.definition = row.text();
    task.business.key = row.optional(&Row::text).value_or("");
    if (!row.null()) task.business.parts = parts_from_json(row.jsonb());
    spec.name = row.text();
    spec.queue = row.optional(&Row::text).value_or("");
    spec.assignee = row.optional(&Row::text);
    spec.candidate_users = row.texts();
    spec.candidate_groups = row.texts();
    spec.payload = canonical_document(row.text());
    spec.expected_outputs = row.texts();
    task.outputs = optional_document(row);
    task.error = optional_document(row);
    spec.due_at = row.optional(&Row::moment);
    spec.priority = row.int4();
    task.state = parse_task_state(row.text()).value_or(TaskState::failed);
    task.holder = row.optional(&Row::text);
    task.version = row.int8();
    task.created_at = row.moment();
    task.updated_at = row.moment();
    task.ended_at = row.optional(&Row::moment);
    return task;
}

TaskEvent task_event_row(Row& row) {
    TaskEvent event;
    event.task = row.id<TaskId>();
    event.version = row.int8();
    event.instance = row.id<InstanceId>();
    event.type = parse_task_event_type(row.text()).value_or(TaskEventType::created);
    event.user = row.optional(&Row::text).value_or("");
    event.detail = canonical_document(row.text());
    event.operation = row.id<OperationId>();
    event.at = row.moment();
    return event;
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
    if (auto text = parts_to_json({.key = "", .parts = query.business_parts}))
        parts = Jsonb{*std::move(text)};
    parameters.add(parts);
    return parameters;
}

Reply<TaskPage> tasks(Connection& connection, const TaskQuery& query) {
    // Not prepared, so that it is planned for the filters that are present.
    connection.queue_once(sql::text_of(sql::postgres_statements(), "read_tasks"),
                          task_parameters(query));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    TaskPage page;
    for (Row row : results->front()) {
        if (page.items.size() == query.limit) {
            if (query.limit > 0) page.next = page.items.back().id;
            break;
        }
        page.items.push_back(task_row(row));
    }
    return page;
}

Reply<std::vector<TaskEvent>> task_events(Connection& connection, const TaskId& id) {
    connection.queue("load_task_events", Parameters().add(id));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    std::vector<TaskEvent> events;
    for (Row row : results->front()) events.push_back(task_event_row(row));
    return events;
}

}  // namespace holdfast::postgres
