#include "store/postgres/write/write.h"

#include <algorithm>
#include <boost/json.hpp>
#include <set>

#include "base/json/canonical.h"
#include "base/json/contains.h"
#include "model/codec/codec.h"
#include "store/postgres/write/statement_queue.h"

namespace holdfast::postgres {
namespace {

using Changed = std::vector<const InstanceChange*>;

template <class Wanted>
Changed select(const Changes& changes, Wanted wanted) {
    Changed selected;
    std::ranges::copy_if(changes.instances, std::back_inserter(selected),
                         [&](const InstanceChange* change) { return wanted(*change); });
    return selected;
}

// A cleared row is deleted even if the id is started again in the same round, so that no child rows
// remain.
bool is_deleted(const InstanceChange& change) { return change.before && change.cleared; }
bool is_inserted(const InstanceChange& change) {
    return change.after && (!change.before || change.cleared);
}
bool is_updated(const InstanceChange& change) {
    return change.before && change.after && !change.cleared;
}

bool has_documents(const Instance& instance) {
    return !instance.state.is_empty_object() || !instance.state_metadata.is_empty_object();
}

bool writes_documents(const InstanceChange& change) {
    return is_inserted(change) ? has_documents(*change.after) : change.document_changed();
}

std::optional<Digest> checksum(const Document& document) {
    if (document.is_empty_object()) return std::nullopt;
    return document.checksum();
}

std::optional<Jsonb> parts_json(const BusinessReference& business) {
    if (business.parts.empty()) return std::nullopt;
    boost::json::object parts;
    for (const auto& [name, value] : business.parts) parts[name] = value;
    return Jsonb{json::canonical(parts)};
}

// Applies `read` to the instance as it is after the round.
template <class Read>
auto after(Read read) {
    return [read](const InstanceChange* change) { return std::invoke(read, *change->after); };
}
template <class Read>
auto last_checkpoint(Read read) {
    return after([read](const Instance& instance) {
        using Value = std::remove_cvref_t<std::invoke_result_t<Read, const LastCheckpoint&>>;
        std::optional<Value> value;
        if (instance.last_checkpoint) value = std::invoke(read, *instance.last_checkpoint);
        return value;
    });
}
constexpr auto id_of = [](const InstanceChange* change) {
    return change->after ? change->after->id : change->before->id;
};

template <class Read>
auto waiting(Read read) {
    return after([read](const Instance& instance) {
        using Value = std::remove_cvref_t<std::invoke_result_t<Read, const Waiting&>>;
        std::optional<Value> value;
        if (instance.waiting) value = std::invoke(read, *instance.waiting);
        return value;
    });
}

// Run, wait, result and program.
void add_runtime_columns(Parameters& columns, const Changed& rows) {
    columns.array(rows, after(&Instance::run)).array(rows, after(&Instance::index));
    columns.array(rows, after([](const Instance& i) { return name_of(kind_of(i.waiting)); }));
    columns.array(rows, waiting(&Waiting::token));
    columns.array(rows, after([](const Instance& i) {
                      return i.waiting ? i.waiting->wait.until : std::nullopt;
                  }));
    columns.array(rows, waiting(waiting_text));
    columns.array(rows, after([](const Instance& i) {
                      return i.result ? std::optional<std::string_view>(i.result->text())
                                      : std::nullopt;
                  }));
    columns.array(rows, after(&Instance::last_error));
    columns.array(rows, after(&Instance::last_executed_by));
    columns.array(rows, after(&Instance::last_executed_at));
    columns.array(rows, after([](const Instance& i) {
                      return i.program ? std::optional(program_text(*i.program)) : std::nullopt;
                  }));
}

// The columns that rarely change, in the order of insert_instances and update_identities.
Parameters identity_columns(const Changed& rows) {
    Parameters columns;
    columns.array(rows, after(&Instance::id));
    columns.array(rows, after([](const Instance& i) { return i.definition.key; }));
    columns.array(rows, after([](const Instance& i) { return i.definition.version; }));
    columns.array(rows, after([](const Instance& i) { return unless_empty(i.business.key); }));
    columns.array(rows, after([](const Instance& i) { return parts_json(i.business); }));
    columns.array(rows, after(&Instance::started_by)).array(rows, after(&Instance::parent));
    columns.array(rows, after(&Instance::created_at));
    columns.array(rows, after(&Instance::execution_started_at));
    return columns;
}

// The other columns, in the order of insert_instances and update_instances.
void add_mutable_columns(Parameters& columns, const Changed& rows) {
    columns.array(rows, after([](const Instance& i) { return name_of(i.status); }));
    columns.array(rows, after(&Instance::paused)).array(rows, after(&Instance::incident));
    columns.array(rows, after(&Instance::quarantined)).array(rows, after(&Instance::version));
    columns.array(rows, after(&Instance::rev)).array(rows, after(&Instance::history_hash));
    columns.array(rows, after(&Instance::completed_at)).array(rows, after(&Instance::updated_at));
    columns.array(rows, after(&Instance::last_modified_by));
    columns.array(rows, after(&Instance::last_modified_at));
    columns.array(rows, last_checkpoint(&LastCheckpoint::name));
    columns.array(rows, last_checkpoint(&LastCheckpoint::version));
    columns.array(rows, last_checkpoint(&LastCheckpoint::at));
    columns.array(rows, after([](const Instance& i) { return checksum(i.state); }));
    columns.array(rows, after([](const Instance& i) { return checksum(i.state_metadata); }));
    add_runtime_columns(columns, rows);
}

constexpr auto rev_before = [](const InstanceChange* change) { return change->before->rev; };

void queue_instances(StatementQueue& queue, const Changes& changes) {
    const Changed deleted = select(changes, is_deleted);
    queue.write("delete_instances", deleted.size(),
                Parameters().array(deleted, id_of).array(deleted, rev_before));

    const Changed updated = select(changes, is_updated);
    Parameters columns;
    columns.array(updated, id_of);
    add_mutable_columns(columns, updated);
    columns.array(updated, [](const InstanceChange* change) { return writes_documents(*change); });
    columns.array(updated, rev_before);
    queue.write("update_instances", updated.size(), std::move(columns));

    Changed renamed = updated;
    std::erase_if(renamed, [](const InstanceChange* change) { return change->keeps_identity(); });
    queue.write("update_identities", renamed.size(), identity_columns(renamed));

    const Changed inserted = select(changes, is_inserted);
    Parameters all_columns = identity_columns(inserted);
    all_columns.array(inserted, after(&Instance::tenant));
    add_mutable_columns(all_columns, inserted);
    queue.write("insert_instances", inserted.size(), std::move(all_columns));
}

void queue_operations(StatementQueue& queue, const Changes& changes) {
    const auto& rows = changes.answers;
    Parameters columns;
    columns.array(rows, &KeyedOutcome::key).array(rows, &KeyedOutcome::request);
    columns.array(rows, &KeyedOutcome::outcome).array(rows, &KeyedOutcome::operation);
    columns.array(rows, &KeyedOutcome::at).array(rows, &KeyedOutcome::instance);
    queue.write("insert_operations", rows.size(), std::move(columns));
}

std::string joined_paths(const Definition& definition) {
    std::string joined;
    for (const json::Path& path : definition.indexes)
        joined += (joined.empty() ? "" : ",") + json::to_string(path);
    return joined;
}

std::optional<std::int64_t> count_of(const std::optional<std::chrono::microseconds>& time) {
    return time ? std::optional<std::int64_t>(time->count()) : std::nullopt;
}

void queue_definitions(StatementQueue& queue, const Changes& changes) {
    std::vector<const Definition*> rows;
    std::set<std::string> paths;
    for (const auto& definition : *changes.definitions) {
        rows.push_back(definition.get());
        for (const json::Path& path : definition->indexes) paths.insert(json::to_string(path));
    }
    std::ranges::sort(rows, {}, &Definition::ref);
    Parameters columns;
    columns.array(rows, [](const Definition* row) { return row->ref.key; });
    columns.array(rows, [](const Definition* row) { return row->ref.version; });
    columns.array(rows, &Definition::schema);
    columns.array(rows, [](const Definition* row) { return joined_paths(*row); });
    columns.array(rows, &Definition::checksum).array(rows, &Definition::created_by);
    columns.array(rows, &Definition::created_at);
    columns.array(rows, [](const Definition* row) { return name_of(row->kind); });
    columns.array(rows, [](const Definition* row) { return count_of(row->retention.keep_for); });
    columns.array(rows, [](const Definition* row) { return count_of(row->retention.stale_after); });
    queue.write("insert_definitions", rows.size(), std::move(columns));
    queue.write("insert_index_paths", paths.size(), Parameters().array(paths));
}

// A document row exists unless both documents are {}; `open` mirrors the status.
void queue_documents(StatementQueue& queue, const Changes& changes) {
    const Changed emptied = select(changes, [](const InstanceChange& change) {
        if (is_deleted(change)) return !change.after || !has_documents(*change.after);
        return is_updated(change) && writes_documents(change) && !has_documents(*change.after);
    });
    queue.write("delete_documents", emptied.size(), Parameters().array(emptied, id_of));

    const auto is_open_now = after([](const Instance& i) { return is_open(i.status); });
    const Changed written = select(changes, [](const InstanceChange& change) {
        return change.after && writes_documents(change) && has_documents(*change.after);
    });
    Parameters columns;
    columns.array(written, id_of).array(written, is_open_now);
    columns.array(written, after([](const Instance& i) { return Jsonb{i.state.text()}; }));
    columns.array(written, after([](const Instance& i) { return Jsonb{i.state_metadata.text()}; }));
    queue.write("put_documents", written.size(), std::move(columns));

    const Changed marked = select(changes, [](const InstanceChange& change) {
        return is_updated(change) && !writes_documents(change) &&
               is_open(change.before->status) != is_open(change.after->status);
    });
    queue.write("mark_documents", marked.size(),
                Parameters().array(marked, id_of).array(marked, is_open_now));
}

void queue_checkpoints(StatementQueue& queue, const Changes& changes) {
    const auto& rows = changes.checkpoints;
    Parameters columns;
    columns.array(rows, &Checkpoint::instance).array(rows, &Checkpoint::name);
    columns.array(rows, &Checkpoint::version);
    columns.array(rows, [](const Checkpoint* row) -> const auto& { return row->state.text(); });
    columns.array(rows,
                  [](const Checkpoint* row) -> const auto& { return row->state_metadata.text(); });
    columns.array(rows, &Checkpoint::created_by).array(rows, &Checkpoint::created_at);
    queue.write("put_checkpoints", rows.size(), std::move(columns));
}

void queue_history(StatementQueue& queue, const Changes& changes) {
    std::vector<const HistoryRow*> rows;
    for (const HistoryRow& row : *changes.history) rows.push_back(&row);
    std::ranges::sort(rows, {},
                      [](const HistoryRow* row) { return std::pair{row->instance, row->version}; });
    Parameters columns;
    columns.array(rows, &HistoryRow::instance).array(rows, &HistoryRow::version);
    columns.array(rows, [](const HistoryRow* row) { return name_of(row->type); });
    columns.array(rows, &HistoryRow::payload).array(rows, &HistoryRow::state_metadata);
    columns.array(rows, [](const HistoryRow* row) { return row->cause.user; });
    columns.array(rows, [](const HistoryRow* row) { return row->cause.operation; });
    columns.array(rows, [](const HistoryRow* row) { return unless_empty(row->cause.correlation); });
    columns.array(rows, &HistoryRow::at).array(rows, &HistoryRow::hash);
    queue.write("insert_history", rows.size(), std::move(columns));
}

Jsonb paths_json(const ConflictRow* conflict) {
    const boost::json::array paths(conflict->paths.begin(), conflict->paths.end());
    return {json::canonical(paths)};
}

void queue_conflicts(StatementQueue& queue, const Changes& changes) {
    std::vector<const ConflictRow*> rows;
    for (const ConflictRow& row : *changes.conflicts) rows.push_back(&row);
    std::ranges::sort(rows, {}, &ConflictRow::id);
    Parameters columns;
    columns.array(rows, &ConflictRow::id).array(rows, &ConflictRow::instance);
    columns.array(rows, &ConflictRow::user).array(rows, &ConflictRow::expected);
    columns.array(rows, &ConflictRow::actual).array(rows, paths_json);
    columns.array(rows, [](const ConflictRow* row) { return name_of(row->resolution); });
    columns.array(rows, &ConflictRow::at);
    queue.write("insert_conflicts", rows.size(), std::move(columns));
}

}  // namespace

std::vector<WriteStatement> encode(const RoundId& round, const Changes& changes) {
    StatementQueue queue;
    queue_accepted(queue, *changes.mail);
    queue.write("write_round", 1, Parameters().add(round));
    queue_instances(queue, changes);
    queue_operations(queue, changes);
    queue_definitions(queue, changes);
    queue_documents(queue, changes);
    queue_children(queue, changes);
    queue_checkpoints(queue, changes);
    queue_waits(queue, changes);
    queue_journal(queue, changes);
    queue_tasks(queue, changes);
    queue_mail(queue, changes);
    queue_signals(queue, changes);
    queue_history(queue, changes);
    queue_conflicts(queue, changes);
    return std::move(queue).take();
}

std::size_t queue(Connection& connection, std::span<const WriteStatement> statements,
                  const Fault& fault) {
    std::size_t queued = 0;
    std::size_t rows = 0;
    for (const WriteStatement& statement : statements) {
        if (fault && fault(queued)) connection.queue("fail_write");
        connection.queue(statement.name, statement.parameters);
        ++queued;
        rows += statement.rows;
    }
    return rows;
}

}  // namespace holdfast::postgres
