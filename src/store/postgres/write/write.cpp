#include "store/postgres/write/write.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/json/contains.h"
#include "model/codec/codec.h"
#include "store/postgres/connection/channel_columns.h"
#include "store/postgres/connection/columns.h"
#include "store/postgres/write/statement_queue.h"
#include "store/row_checksum.h"
#include "store/stream_records.h"
#include "store/tables/definition_table.h"
#include "store/tables/instance_table.h"
#include "store/tables/record_tables.h"
#include "store/wait_changes.h"

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

// Also true if they were not read.
bool has_stored_documents(const Instance& instance) {
    static const Digest none = Document().checksum();
    return instance.state.checksum() != none || instance.state_metadata.checksum() != none;
}

bool writes_documents(const InstanceChange& change) {
    return is_inserted(change) ? has_documents(*change.after) : change.document_changed();
}

std::optional<Digest> checksum(const Document& document) {
    if (document.is_empty_object()) return std::nullopt;
    return document.checksum();
}

// Applies `read` to the instance as it is after the round.
template <class Read>
auto after(Read read) {
    return [read](const InstanceChange* change) { return std::invoke(read, *change->after); };
}
constexpr auto id_of = [](const InstanceChange* change) {
    return change->after ? change->after->id : change->before->id;
};

template <class Read>
auto waiting(Read read) {
    return after([read](const Instance& instance) { return read(summary_of(instance.waits)); });
}

constexpr auto after_of = [](const InstanceChange* change) -> const Instance& {
    return *change->after;
};

// The columns that several members share: the waits, the checksums of the documents and of the row.
void add_shared_columns(Parameters& columns, const Changed& rows) {
    columns.array(rows, after([](const Instance& i) { return checksum(i.state); }));
    columns.array(rows, after([](const Instance& i) { return checksum(i.state_metadata); }));
    columns.array(rows, waiting([](const WaitSummary& one) { return name_of(one.kind); }));
    columns.array(rows, waiting([](const WaitSummary& one) { return one.token; }));
    columns.array(rows, waiting([](const WaitSummary& one) { return one.until; }));
    columns.array(rows, after([](const Instance& i) { return waits_in_row(i, WaitsInRow::one); }));
    columns.array(rows, after(row_checksum));
}

constexpr auto rev_before = [](const InstanceChange* change) { return change->before->rev; };

// Locks the rows, in the order of their keys.
void queue_updates(StatementQueue& queue, const Changes& changes) {
    const Changed deleted = select(changes, is_deleted);
    queue.write("delete_instances", deleted.size(),
                Parameters().array(deleted, id_of).array(deleted, rev_before));

    const Changed updated = select(changes, is_updated);
    Parameters columns;
    columns.array(updated, id_of).array(updated, rev_before);
    columns.array(updated, [](const InstanceChange* change) { return writes_documents(*change); });
    add_shared_columns(columns, updated);
    add_columns<tables::InstanceProgress>(columns, updated, after_of);
    queue.write("update_instances", updated.size(), std::move(columns));
}

// Before any other lock.
void queue_quiet_channels(StatementQueue& queue, const Expected& expected) {
    Parameters channels;
    add_channels(channels, expected.quiet, std::identity());
    queue.guard("lock_known_channels", expected.quiet.size(), std::move(channels));
}

// Locks the continuations and jobs under whose leases the round acts, or deletes them.
EndedLeases queue_leases(StatementQueue& queue, const Changes& changes, const Expected& expected) {
    const auto& deleted = changes.continuations.deleted;
    std::map<SignalId, Expected::Held> kept;
    std::map<SignalId, Expected::Held> ended;
    EndedLeases gone;
    for (const auto& [id, held] : expected.leases) {
        const bool is_job = held.type == SignalType::job;
        const bool ends = is_job ? changes.signals->consumed.contains(id)
                                 : std::ranges::binary_search(deleted, held.instance);
        (ends ? ended : kept).emplace(id, held);
        if (ends && is_job) gone.jobs.insert(id);
        if (ends && !is_job) gone.continuations.insert(held.instance);
    }
    const auto columns = [](const std::map<SignalId, Expected::Held>& leases) {
        Parameters columns;
        columns.array(leases, [](const auto& item) { return item.first; });
        columns.array(leases, [](const auto& item) { return item.second.lease.node; });
        columns.array(leases, [](const auto& item) { return item.second.lease.epoch; });
        return columns;
    };
    queue.guard("lock_leases", kept.size(), columns(kept));
    queue.write("end_leases", ended.size(), columns(ended));
    return gone;
}

void queue_checks(StatementQueue& queue, const Expected& expected) {
    std::set<NodeId> nodes;
    for (const auto& [id, held] : expected.leases) nodes.insert(held.lease.node);
    Parameters rest;
    rest.add(expected.now).array(nodes).array(expected.unawaited);
    rest.array(expected.newest, [](const auto& item) { return item.first.tenant; });
    rest.array(expected.newest, [](const auto& item) { return item.first.key; });
    rest.array(expected.newest, [](const auto& item) { return item.second; });
    add_channels(rest, expected.quiet, std::identity());
    rest.array(expected.without_events).array(expected.without_tasks);
    queue.guard("check_recalled", 1, std::move(rest));
}

void queue_instances(StatementQueue& queue, const Changes& changes) {
    Changed renamed = select(changes, is_updated);
    std::erase_if(renamed, [](const InstanceChange* change) { return change->keeps_identity(); });
    Parameters identities;
    identities.array(renamed, id_of);
    add_columns<tables::InstanceIdentity>(identities, renamed, after_of);
    queue.write("update_identities", renamed.size(), std::move(identities));

    const Changed inserted = select(changes, is_inserted);
    Parameters all_columns;
    add_shared_columns(all_columns, inserted);
    add_columns<tables::Instances>(all_columns, inserted, after_of);
    queue.write("insert_instances", inserted.size(), std::move(all_columns));
}

void queue_operations(StatementQueue& queue, const Changes& changes) {
    const auto& rows = changes.answers;
    Parameters columns;
    columns.array(rows, [](const KeyedOutcome* row) { return row->key.tenant; });
    columns.array(rows, [](const KeyedOutcome* row) { return row->key.key; });
    columns.array(rows, &KeyedOutcome::request);
    columns.array(rows, &KeyedOutcome::outcome).array(rows, &KeyedOutcome::operation);
    columns.array(rows, &KeyedOutcome::at).array(rows, &KeyedOutcome::instance);
    queue.write("insert_operations", rows.size(), std::move(columns));
}

void queue_definitions(StatementQueue& queue, const Changes& changes) {
    std::vector<const Definition*> rows;
    std::set<std::string> paths;
    for (const auto& definition : *changes.definitions) {
        rows.push_back(definition.get());
        for (const json::Path& path : definition->indexes) paths.insert(json::to_string(path));
    }
    std::ranges::sort(rows, {},
                      [](const Definition* row) { return std::tie(row->tenant, row->ref); });
    Parameters columns;
    add_columns<tables::Definitions>(columns, rows, row_at);
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
               has_stored_documents(*change.after) &&
               is_open(change.before->status) != is_open(change.after->status);
    });
    queue.write("mark_documents", marked.size(),
                Parameters().array(marked, id_of).array(marked, is_open_now));
}

void queue_checkpoints(StatementQueue& queue, const Changes& changes) {
    const auto& rows = changes.checkpoints;
    Parameters columns;
    columns.array(rows, &Checkpoint::instance);
    add_columns<tables::Checkpoints>(columns, rows, row_at);
    queue.write("put_checkpoints", rows.size(), std::move(columns));
}

void queue_history(StatementQueue& queue, const Changes& changes) {
    std::vector<const HistoryRow*> rows;
    for (const HistoryRow& row : *changes.history) rows.push_back(&row);
    std::ranges::sort(rows, {},
                      [](const HistoryRow* row) { return std::pair{row->instance, row->version}; });
    Parameters columns;
    add_columns<tables::History>(columns, rows, row_at);
    queue.write("insert_history", rows.size(), std::move(columns));
}

void queue_conflicts(StatementQueue& queue, const Changes& changes) {
    std::vector<const ConflictRow*> rows;
    for (const ConflictRow& row : *changes.conflicts) rows.push_back(&row);
    std::ranges::sort(rows, {}, &ConflictRow::id);
    Parameters columns;
    add_columns<tables::Conflicts>(columns, rows, row_at);
    queue.write("insert_conflicts", rows.size(), std::move(columns));
}

void queue_round(StatementQueue& queue, const RoundId& round, const std::string& records) {
    if (records.empty())
        queue.write("write_round", 1, Parameters().add(round));
    else
        queue.write("write_round_records", 1, Parameters().add(round).add(Bytea{records}));
}

}  // namespace

std::vector<WriteStatement> encode(const RoundId& round, const Changes& changes,
                                   const Expected* expected) {
    StatementQueue queue;
    if (expected) queue_quiet_channels(queue, *expected);
    queue_updates(queue, changes);
    EndedLeases ended;
    if (expected) {
        ended = queue_leases(queue, changes, *expected);
        queue_checks(queue, *expected);
    }
    queue_accepted(queue, *changes.mail);
    // Behind what locks the instances: their rounds get their positions in the order of their
    // commits.
    queue_round(queue, round, encode_records(changes));
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
    queue_signals(queue, changes, ended);
    queue_history(queue, changes);
    queue_conflicts(queue, changes);
    return std::move(queue).take();
}

std::size_t place_of_round(std::span<const WriteStatement> statements) {
    const auto found = std::ranges::find_if(
        statements, [](const WriteStatement& one) { return one.name.starts_with("write_round"); });
    return static_cast<std::size_t>(found - statements.begin());
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
