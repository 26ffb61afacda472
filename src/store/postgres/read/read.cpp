#include "store/postgres/read/read.h"

#include "store/postgres/load/decode.h"
#include "store/sql.h"

namespace holdfast::postgres {
namespace {

template <class Child>
void take(const Rows& rows, std::vector<Child>& children, Child (*read)(Row&)) {
    for (Row row : rows) {
        row.uuid();  // the instance, the same for all
        children.push_back(read(row));
    }
}

Children children_of(const std::vector<Rows>& answers, std::size_t first) {
    ChildRows rows;
    take(answers[first], rows.activities, activity_row);
    take(answers[first + 1], rows.variables, variable_row);
    take(answers[first + 2], rows.conditions, condition_row);
    take(answers[first + 3], rows.forks, fork_row);
    return from_rows(std::move(rows));
}

FoundInstance found_instance(Row row, Depth depth) {
    InstanceRow found = instance_row(row);
    std::optional<TaskId> task;
    if (depth != Depth::row) {
        add_documents(found, row);
        task = row.optional(&Row::id<TaskId>);
    }
    return {std::move(found.row.instance), found.row.corrupt, task};
}

}  // namespace

Reply<std::optional<FoundInstance>> find(Connection& connection, const InstanceId& id,
                                         Depth depth) {
    const bool whole = depth == Depth::whole;
    if (whole) connection.queue("begin_read");
    const std::vector<InstanceId> ids{id};
    connection.queue("find_instances", Parameters().array(ids).add(depth != Depth::row));
    if (whole) {
        const Parameters owner = std::move(Parameters().array(ids));
        for (const char* name :
             {"load_activities", "load_variables", "load_conditions", "load_forks"})
            connection.queue(name, owner);
        connection.queue("end_read");
    }
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    const std::size_t at = whole ? 1 : 0;
    if ((*answers)[at].size() == 0) return std::nullopt;
    FoundInstance found = found_instance((*answers)[at][0], depth);
    if (whole) found.instance.children = children_of(*answers, at + 1);
    return found;
}

Reply<std::vector<Instance>> find_rows(Connection& connection, std::span<const InstanceId> ids) {
    connection.queue("find_instances", Parameters().array(ids).add(false));
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    std::vector<Instance> rows;
    for (Row row : answers->front()) rows.push_back(found_instance(row, Depth::row).instance);
    return rows;
}

Reply<HistoryPage> history(Connection& connection, const InstanceId& id, Version from,
                           std::size_t limit) {
    connection.queue("read_history", Parameters().add(id).add(from).add(std::uint64_t{limit + 1}));
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    HistoryPage page;
    for (Row row : answers->front()) {
        auto entry = history_row(row);
        if (!entry) return std::unexpected(entry.error());
        if (page.items.size() == limit)
            page.next = entry->version;
        else
            page.items.push_back(*std::move(entry));
    }
    return page;
}

Reply<ConflictPage> conflicts(Connection& connection, const ConflictQuery& query) {
    std::optional<std::string_view> resolution;
    if (query.resolution) resolution = name_of(*query.resolution);
    Parameters parameters;
    parameters.add(query.instance).add(resolution).add(query.before);
    parameters.add(std::uint64_t{query.limit + 1});
    connection.queue_once(sql::text_of(sql::postgres_statements(), "read_conflicts"), parameters);
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    ConflictPage page;
    for (Row row : answers->front()) {
        if (page.items.size() == query.limit) {
            if (query.limit > 0) page.next = page.items.back().id;
            break;
        }
        auto conflict = conflict_row(row);
        if (!conflict) return std::unexpected(conflict.error());
        page.items.push_back(*std::move(conflict));
    }
    return page;
}

Reply<std::vector<Checkpoint>> checkpoints(Connection& connection, const InstanceId& id) {
    connection.queue("read_checkpoints", Parameters().add(id));
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    std::vector<Checkpoint> found;
    for (Row row : answers->front()) found.push_back(checkpoint_row(row));
    return found;
}

Reply<std::shared_ptr<const Definition>> definition(Connection& connection,
                                                    const DefinitionRef& ref,
                                                    DefinitionCache& cache) {
    if (auto known = cache.find(ref)) return known;
    Parameters parameters;
    parameters.array(std::vector{ref.key}).array(std::vector{ref.version});
    // Version 0 is known of no key, so the newest comes with its content.
    connection.queue(ref.version == 0 ? "load_newest_definitions" : "load_definitions", parameters);
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    if (answers->front().size() == 0) return nullptr;
    Row row = answers->front()[0];
    auto definition = definition_row(row);
    if (definition) cache.add(*definition);
    return definition;
}

Reply<std::vector<IndexState>> indexes(Connection& connection) {
    connection.queue("read_index_paths");
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    std::vector<IndexState> states;
    for (Row row : answers->front()) {
        auto path = json::parse_path(row.text());
        if (!path) return std::unexpected(Failure{FailureKind::corrupt, "", path.error().message});
        states.push_back({*std::move(path), row.boolean()});
    }
    return states;
}

Reply<void> ping(Connection& connection) {
    connection.queue("ping");
    auto answers = connection.exchange();
    if (!answers) return std::unexpected(answers.error());
    return {};
}

}  // namespace holdfast::postgres
