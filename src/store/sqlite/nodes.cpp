#include "store/sqlite/claim.h"
#include "store/sqlite/prune.h"
#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/mail_rows.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/signal_rows.h"
#include "store/sqlite/search.h"
#include "store/sqlite/store.h"
#include "store/tables/definition_table.h"
#include "store/tables/node_tables.h"

namespace holdfast::sqlite {
namespace {

// The file lock guarantees that there is one process: its lease need not expire.
constexpr Moment far_future{std::chrono::sys_days{std::chrono::year{9999} / 12 / 31}};

template <class Table>
Result<std::vector<typename Table::Row>> read_all(Statement& statement) {
    std::vector<typename Table::Row> all;
    HF_CHECK(for_each_row(statement, [&](Statement& row) { all.push_back(read_row<Table>(row)); }));
    return all;
}

template <class Table>
Result<void> insert(Statement& statement, const typename Table::Row& row) {
    const BoundColumns<Table> columns(statement.bind(), row);
    return statement.run();
}

}  // namespace

Result<std::vector<std::vector<JournalEntry>>> SqliteStore::answer(const ListJournals& query) {
    ReaderPool::Lease reader(readers_);
    std::vector<std::vector<JournalEntry>> journals;
    for (const auto& [id, from, limit] : query.parts) {
        HF_TRY(auto entries, load_journal_from(*reader, id, from, limit));
        journals.push_back(std::move(entries));
    }
    return journals;
}

// For a node all earlier lives have ended, and with them what workers hold: frees their leases and
// host locks.
Result<void> SqliteStore::join(const Joining& joining) {
    const bool worker = joining.kind == HolderKind::worker;
    return transact(write_side_, [&](Database& database) -> Result<void> {
        if (!worker) {
            HF_CHECK(database["delete_nodes"].bind().run());
            HF_CHECK(database["free_signals"].bind().run());
            HF_CHECK(database["expire_host_locks"].bind(time()).run());
        }
        const Moment now = time();
        const Moment until = worker ? now + joining.lease : far_future;
        return insert<tables::Nodes>(database["insert_node"], {.id = joining.id,
                                                               .name = joining.name,
                                                               .started_at = now,
                                                               .beat_at = now,
                                                               .lease_until = until,
                                                               .kind = joining.kind,
                                                               .programs = joining.programs});
    });
}

// There are no other nodes that need the heartbeat: writes only the lease of a worker.
Result<Beat> SqliteStore::beat(const NodeId& node, std::chrono::microseconds lease,
                               const std::vector<std::string>& programs) {
    HF_CHECK(renew_worker(node, lease));
    ReaderPool::Lease reader(readers_);
    const ReadTransaction transaction(*reader);
    Beat beat{.now = time()};
    HF_TRY(beat.alive, is_joined(*reader, node, beat.now));
    if (!beat.alive) return beat;
    HF_TRY(beat.claimable_at, next_claimable(*reader, programs));
    HF_CHECK(for_each_row((*reader)["read_earliest_timer"].bind(), [&](Statement& row) {
        beat.due_at = row.optional([](Statement& column) { return column.moment(); });
    }));
    return beat;
}

Result<void> SqliteStore::renew_worker(const NodeId& id, std::chrono::microseconds lease) {
    {
        ReaderPool::Lease reader(readers_);
        HF_TRY(const bool worker, is_worker(*reader, id));
        if (!worker) return {};
    }
    return transact(write_side_, [&](Database& database) {
        return database["renew_worker"].bind(id, time(), time() + lease).run();
    });
}

Result<void> SqliteStore::leave(const NodeId& node) {
    return transact(write_side_, [&](Database& database) -> Result<void> {
        HF_CHECK(database["free_signals_of"].bind(node).run());
        return database["delete_node"].bind(node).run();
    });
}

Result<std::vector<NodeRow>> SqliteStore::answer(const ListNodes&) {
    ReaderPool::Lease reader(readers_);
    return read_all<tables::Nodes>((*reader)["read_nodes"].bind());
}

Result<std::optional<NodeRow>> SqliteStore::answer(const FindNode& query) {
    ReaderPool::Lease reader(readers_);
    HF_TRY(auto found, read_all<tables::Nodes>((*reader)["read_node"].bind(query.id)));
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

// Reads first, to avoid a write transaction if there is nothing to claim.
Result<Claimed> SqliteStore::claim(const Claim& wanted) {
    const Moment now = time();
    {
        ReaderPool::Lease reader(readers_);
        const ReadTransaction transaction(*reader);
        HF_TRY(const bool joined, is_joined(*reader, wanted.node, now));
        if (!joined) return Claimed{.now = now};
        HF_TRY(const bool some, has_claimable(*reader, wanted.programs, now));
        if (!some) {
            Claimed none{.now = now};
            HF_TRY(none.next, next_claimable(*reader, wanted.programs));
            return none;
        }
    }
    return transact(write_side_, [&](Database& database) -> Result<Claimed> {
        HF_TRY(const bool joined, is_joined(database, wanted.node, now));
        if (!joined) return Claimed{.now = now};
        return sqlite::claim(database, wanted, now);
    });
}

Result<void> SqliteStore::give_back(const SignalId& signal, const Lease& lease,
                                    std::chrono::microseconds pause, GiveBack attempt) {
    return transact(write_side_, [&](Database& database) {
        return database["give_back_signal"]
            .bind(signal, lease.node, lease.epoch, time() + pause,
                  attempt == GiveBack::was_not_begun)
            .run();
    });
}

Result<std::optional<DeadLetter>> SqliteStore::answer(const FindDeadLetter& query) {
    ReaderPool::Lease reader(readers_);
    return load_dead_letter(*reader, query.id);
}

Result<DeadLetterPage> SqliteStore::answer(const DeadLetterQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    return read_dead_letters(*reader, query);
}

Result<JobPage> SqliteStore::answer(const JobQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    return read_jobs(*reader, query);
}

Result<IncidentPage> SqliteStore::answer(const IncidentQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    return read_incidents(*reader, query);
}

// There are no other nodes to notify.
Result<void> SqliteStore::announce(const Announcement&) { return {}; }

Result<void> SqliteStore::listen(const std::function<void()>& listening,
                                 const std::function<void(const Announcement&)>&, std::stop_token) {
    listening();
    return {};
}

Result<std::optional<HostLock>> SqliteStore::lock_host(const std::string& name,
                                                       const std::string& owner,
                                                       std::chrono::microseconds lease) {
    using Lock = std::optional<HostLock>;
    return transact(write_side_, [&](Database& database) -> Result<Lock> {
        const Moment now = time();
        HostLock held;
        HF_CHECK(for_each_row(database["read_host_lock"].bind(name),
                              [&](Statement& row) { held = read_row<tables::HostLocks>(row); }));
        const bool runs = held.term > 0 && held.until > now;
        if (runs && held.owner != owner) return Lock{};
        held = {name, owner, now + lease, runs ? held.term : held.term + 1};
        HF_CHECK(insert<tables::HostLocks>(database["put_host_lock"], held));
        return Lock{held};
    });
}

Result<std::vector<HostLock>> SqliteStore::answer(const ListHostLocks&) {
    ReaderPool::Lease reader(readers_);
    return read_all<tables::HostLocks>((*reader)["read_host_locks"].bind());
}

Result<Backlog> SqliteStore::answer(const CountBacklog& query) {
    ReaderPool::Lease reader(list_readers_);
    const ReadTransaction transaction(*reader);
    Backlog found{.now = time()};
    const auto count = [](Statement& row) { return static_cast<std::uint64_t>(row.integer()); };
    const auto moment = [](Statement& row) { return row.moment(); };
    HF_CHECK(for_each_row((*reader)["count_backlog"].bind(query.most), [&](Statement& row) {
        found.incidents = count(row);
        found.tasks = count(row);
        found.dead_letters = count(row);
        found.dead_events = count(row);
        found.signals = count(row);
        found.oldest_signal = row.optional(moment);
        found.timers = count(row);
        found.next_timer = row.optional(moment);
    }));
    HF_CHECK(
        for_each_row((*reader)["count_open"].bind(query.most, query.groups), [&](Statement& row) {
            Backlog::Open& open = found.open.emplace_back();
            open.definition = row.text();
            open.status = row.text();
            open.count = count(row);
        }));
    return found;
}

Result<StreamPage> SqliteStore::answer(const StreamQuery& query) {
    ReaderPool::Lease reader(readers_);
    const ReadTransaction transaction(*reader);
    StreamPage page;
    HF_CHECK(for_each_row((*reader)["read_stream_bounds"].bind(), [&](Statement& row) {
        page.newest = page.reached = static_cast<std::uint64_t>(row.integer());
        page.forgotten = static_cast<std::uint64_t>(row.integer());
    }));
    if (!query.after) return page;
    Result<void> sound;
    HF_CHECK(for_each_row((*reader)["read_stream"].bind(*query.after, std::uint64_t{query.limit}),
                          [&](Statement& row) {
                              const auto position = static_cast<std::uint64_t>(row.integer());
                              auto round = decode_records(row.bytes());
                              if (round)
                                  page.rows.push_back({position, *std::move(round)});
                              else
                                  sound = std::unexpected(round.error());
                          }));
    HF_CHECK(sound);
    if (page.rows.size() == query.limit) page.reached = page.rows.back().position;
    return page;
}

Result<std::optional<Moment>> SqliteStore::answer(const FindMark& query) {
    ReaderPool::Lease reader(readers_);
    std::optional<Moment> at;
    HF_CHECK(for_each_row((*reader)["read_mark"].bind(query.name),
                          [&](Statement& row) { at = row.moment(); }));
    return at;
}

Result<void> SqliteStore::set_mark(const std::string& name, Moment at) {
    return transact(write_side_,
                    [&](Database& database) { return database["put_mark"].bind(name, at).run(); });
}

Result<Moment> SqliteStore::answer(const FindTime&) { return time(); }

Result<Pruned> SqliteStore::prune(const Prune& wanted) {
    // A dry run deletes too, and is rolled back: its counts are those of the real one.
    std::optional<Pruned> counted;
    auto pruned = transact(write_side_, [&](Database&) -> Result<Pruned> {
        auto batch = sqlite::prune(write_side_, wanted, time());
        if (!wanted.dry_run || !batch) return batch;
        counted = *batch;
        return fail(ErrorCode::refused, "a dry run is rolled back");
    });
    return counted ? *counted : pruned;
}

Result<TrimmedHistories> SqliteStore::trim_histories(const TrimHistories& trim) {
    std::optional<TrimmedHistories> counted;  // likewise
    auto trimmed = transact(write_side_, [&](Database& database) -> Result<TrimmedHistories> {
        auto page = sqlite::trim_histories(database, trim, time());
        if (!trim.dry_run || !page) return page;
        counted = *page;
        return fail(ErrorCode::refused, "a dry run is rolled back");
    });
    return counted ? *counted : trimmed;
}

Result<StalePage> SqliteStore::answer(const FindStale& query) {
    ReaderPool::Lease reader(readers_);
    return sqlite::find_stale(*reader, query);
}

Result<StrandedPage> SqliteStore::answer(const FindStranded& query) {
    ReaderPool::Lease reader(readers_);
    return sqlite::find_stranded(*reader, query, time());
}

Result<std::map<std::string, Retention>> SqliteStore::answer(const ListRetentions&) {
    const auto time_of = [](Statement& row) { return std::chrono::microseconds(row.integer()); };
    ReaderPool::Lease reader(readers_);
    std::map<std::string, Retention> retentions;
    HF_CHECK(for_each_row((*reader)["read_retentions"].bind(), [&](Statement& row) {
        Retention& retention = retentions[std::string(row.view())];
        retention.keep_for = row.optional(time_of);
        retention.stale_after = row.optional(time_of);
    }));
    return retentions;
}

Result<std::vector<DefinitionSummary>> SqliteStore::answer(const DefinitionQuery& query) {
    ReaderPool::Lease reader(readers_);
    return read_all<tables::DefinitionSummaries>((*reader)["read_definition_keys"].bind(
        query.after, std::uint64_t(query.limit), query.tenant));
}

Result<std::vector<DefinitionSummary>> SqliteStore::answer(const VersionQuery& query) {
    ReaderPool::Lease reader(readers_);
    return read_all<tables::DefinitionSummaries>((*reader)["read_definition_versions"].bind(
        query.key, std::uint64_t(query.before), std::uint64_t(query.limit), query.tenant));
}

}  // namespace holdfast::sqlite
