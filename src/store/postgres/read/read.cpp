#include "store/postgres/read/read.h"

#include <algorithm>

#include "store/postgres/connection/columns.h"
#include "store/postgres/load/decode.h"
#include "store/sql.h"
#include "store/tables/record_tables.h"

namespace holdfast::postgres {
namespace {

template <class Child>
void take(const Rows& rows, std::vector<Child>& children, Child (*read)(Row&)) {
    for (Row row : rows) {
        row.uuid();  // skips the instance id
        children.push_back(read(row));
    }
}

Children children_of(const std::vector<Rows>& results, std::size_t first) {
    ChildRows rows;
    take(results[first], rows.activities, activity_row);
    take(results[first + 1], rows.variables, variable_row);
    take(results[first + 2], rows.conditions, condition_row);
    take(results[first + 3], rows.forks, fork_row);
    return from_rows(std::move(rows));
}

FoundInstance found_instance(Row row, const InstanceId& id, Depth depth) {
    InstanceRow found = instance_row(row);
    std::optional<TaskId> task;
    if (depth != Depth::row) {
        add_documents(found, row);
        task = row.optional(&Row::id<TaskId>);
    }
    hide_if_misplaced(found, id);
    if (found.row.misplaced) task.reset();
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
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    const std::size_t at = whole ? 1 : 0;
    if ((*results)[at].size() == 0) return std::nullopt;
    FoundInstance found = found_instance((*results)[at][0], id, depth);
    if (whole) found.instance.children = children_of(*results, at + 1);
    return found;
}

Reply<std::vector<Instance>> find_rows(Connection& connection, std::span<const InstanceId> ids) {
    connection.queue("find_instances", Parameters().array(ids).add(false));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    std::vector<Instance> rows;
    for (Row row : results->front()) {
        const auto id = Row(row).id<InstanceId>();
        if (std::ranges::find(ids, id) != ids.end())
            rows.push_back(found_instance(row, id, Depth::row).instance);
    }
    return rows;
}

Reply<HistoryPage> history(Connection& connection, const InstanceId& id, Version from,
                           std::size_t limit) {
    connection.queue("read_history", Parameters().add(id).add(from).add(std::uint64_t{limit + 1}));
    auto results = connection.exchange(PageBudget{});  // may end its statement early
    if (!results) return std::unexpected(results.error());
    // Afterwards: an anchor that moved meanwhile covers rows of the page, and never leaves a gap.
    connection.queue("read_history_anchor", Parameters().add(id));
    auto anchors = connection.exchange();
    if (!anchors) return std::unexpected(anchors.error());
    HistoryPage page;
    for (Row row : anchors->front()) page.anchor = history_anchor_row(row);
    const std::size_t size = results->front().page_size(limit);
    for (Row row : results->front()) {
        auto entry = read_row<tables::History>(row);
        entry.value = read_row<tables::SharedValue>(row);
        if (page.items.size() == size)
            page.next = entry.version;
        else
            page.items.push_back(std::move(entry));
    }
    return page;
}

Reply<Standing> standing(Connection& connection, const InstanceId& id) {
    connection.queue("read_continuation", Parameters().add(id));
    connection.queue("read_newest_incident", Parameters().add(id));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    Standing standing;
    for (Row row : results->front()) standing.continuation = signal_row(row);
    for (Row row : results->back()) {
        standing.incident = read_row<tables::History>(row);
        standing.incident->value = read_row<tables::SharedValue>(row);
    }
    return standing;
}

Reply<std::uint64_t> count_waits_before(Connection& connection, const CountWaitsBefore& query) {
    Parameters parameters;
    parameters.add(query.channel.tenant).add(query.channel.event.name);
    parameters.add(query.channel.event.correlation).add(query.began_at).add(query.operation);
    connection.queue("count_waits_before", parameters.add(query.token).add(query.most));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    std::uint64_t count = 0;
    for (Row row : results->front()) count = row.int8();
    return count;
}

Reply<ConflictPage> conflicts(Connection& connection, const ConflictQuery& query) {
    std::optional<std::string_view> resolution;
    if (query.resolution) resolution = name_of(*query.resolution);
    Parameters parameters;
    parameters.add(query.instance).add(resolution).add(query.before);
    parameters.add(std::uint64_t{query.limit + 1}).add(query.tenant);
    connection.queue_once(sql::text_of(sql::postgres_statements(), "read_conflicts"), parameters);
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    ConflictPage page;
    const std::size_t size = results->front().page_size(query.limit);
    for (Row row : results->front()) {
        if (page.items.size() == size) {
            if (size > 0) page.next = page.items.back().id;
            break;
        }
        page.items.push_back(read_row<tables::Conflicts>(row));
    }
    return page;
}

Reply<CheckpointPage> checkpoints(Connection& connection, const CheckpointQuery& query) {
    connection.queue(
        query.content == PageContent::rows ? "read_checkpoint_rows" : "read_checkpoints",
        Parameters().add(query.instance).add(query.after).add(std::uint64_t{query.limit + 1}));
    auto results = connection.exchange(query.budget);
    if (!results) return std::unexpected(results.error());
    CheckpointPage page;
    const std::size_t size = results->front().page_size(query.limit);
    for (Row row : results->front()) {
        if (page.items.size() == size) {
            if (size > 0) page.next = page.items.back().name;
            break;
        }
        page.items.push_back(checkpoint_row(row));
    }
    return page;
}

namespace {

// What load_newest_definitions has before the definition.
void skip_key(Row& row) {
    (void)row.text();
    (void)row.text();
    (void)row.int4();
}

}  // namespace

Reply<std::shared_ptr<const Definition>> definition(Connection& connection, const TenantRef& wanted,
                                                    DefinitionCache& cache) {
    if (auto known = cache.find(wanted)) return known;
    Parameters parameters;
    parameters.array(std::vector{wanted.tenant}).array(std::vector{wanted.ref.key});
    parameters.array(std::vector{wanted.ref.version});
    // Version 0 never equals the newest, so load_newest_definitions returns the content.
    connection.queue(wanted.ref.version == 0 ? "load_newest_definitions" : "load_definitions",
                     parameters);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    if (results->front().size() == 0) return nullptr;
    Row row = results->front()[0];
    if (wanted.ref.version == 0) skip_key(row);
    auto definition = definition_row(row);
    if (definition) cache.add(*definition);
    return definition;
}

Reply<std::vector<IndexState>> indexes(Connection& connection) {
    connection.queue("read_index_paths");
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    std::vector<IndexState> states;
    for (Row row : results->front()) {
        auto path = json::parse_path(row.text());
        if (!path) return std::unexpected(Failure{FailureKind::corrupt, "", path.error().message});
        states.push_back({*std::move(path), row.boolean()});
    }
    return states;
}

Reply<void> ping(Connection& connection) {
    connection.queue("ping");
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    return {};
}

}  // namespace holdfast::postgres
