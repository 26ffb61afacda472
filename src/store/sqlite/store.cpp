#include "store/sqlite/store.h"

#include <sys/stat.h>

#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/mail_rows.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/task_rows.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/search.h"
#include "store/sqlite/settings.h"
#include "store/sqlite/wal.h"
#include "store/tables/record_tables.h"

namespace holdfast::sqlite {
namespace {

constexpr std::size_t backfill_batch = 200;
constexpr std::size_t backfill_bytes = std::size_t{1} << 20;

HistoryRow read_history_row(Statement& row) {
    auto entry = read_row<tables::History>(row);
    entry.value = read_row<tables::SharedValue>(row);
    return entry;
}

}  // namespace

Result<void> ReaderPool::open(const std::string& path, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        auto database = Database::open(path, Mode::read_only);
        if (!database) return std::unexpected(database.error());
        if (auto done = (*database)->execute(reader_pragmas); !done) return done;
        databases_.push_back(*std::move(database));
    }
    return {};
}

std::unique_ptr<Database> ReaderPool::take() {
    std::unique_lock lock(mutex_);
    free_.wait(lock, [this] { return !databases_.empty(); });
    auto database = std::move(databases_.back());
    databases_.pop_back();
    return database;
}

void ReaderPool::give_back(std::unique_ptr<Database> database) {
    {
        const std::lock_guard lock(mutex_);
        databases_.push_back(std::move(database));
    }
    free_.notify_one();
}

Result<std::unique_ptr<Store>> SqliteStore::open(const std::string& path,
                                                 const StoreOptions& options) {
    ::umask(077);  // the file has personal data: only its owner may read it
    HF_TRY(auto file, DatabaseFile::lock(path));
    std::unique_ptr<SqliteStore> store(new SqliteStore(std::move(file), options));
    HF_CHECK(store->open_file());
    HF_CHECK(store->readers_.open(path, options.readers));
    HF_CHECK(store->list_readers_.open(path, options.readers + options.searchers));
    return store;
}

Result<void> SqliteStore::open_file() {
    HF_TRY(auto opened, Database::open(file_.path(), Mode::read_write));
    Database& database = *opened;
    const std::string wal_path =
        sqlite3_filename_wal(sqlite3_db_filename(database.handle(), "main"));
    const auto wal = look_at(wal_path);  // the first statement creates one
    // A file that is refused is left as it is.
    sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    HF_CHECK(database.execute(writer_pragmas));
    if (!options_.allow_weak_durability) HF_CHECK(check_durability(database));
    HF_CHECK(check_wal(database, wal_path, wal));
    sqlite3_db_config(database.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
    HF_CHECK(migrate(database));
    HF_TRY(write_side_.index_paths, load_index_paths(database));
    HF_TRY(const std::string mode, database.query_text("pragma journal_mode"));
    write_side_.file = &file_;
    write_side_.lost = options_.file_lost;
    write_side_.database = std::move(opened);
    HF_CHECK(load_positions(write_side_));
    if (mode == "wal") HF_CHECK(keep_wal(write_side_, wal_path));
    return {};
}

SqliteStore::~SqliteStore() {
    if (write_side_.database) release_wal(write_side_);
}

Result<std::unique_ptr<Writer>> SqliteStore::open_writer() {
    return std::make_unique<SqliteWriter>(write_side_, options_);
}

void SqliteStore::read(const AnyQuestion& question) {
    answer_by([this](const auto& query) { return answer(query); }, question);
}

Result<std::optional<FoundInstance>> SqliteStore::answer(const FindInstance& query) {
    ReaderPool::Lease reader(readers_);
    const ReadTransaction transaction(*reader);
    auto stored = load_instance(*reader, query.id, query.depth);
    if (!stored) return std::unexpected(stored.error());
    if (!*stored) return std::nullopt;
    FoundInstance found{std::move((*stored)->row.instance), (*stored)->row.corrupt, {}};
    if (query.depth != Depth::row) {
        HF_TRY(found.active_task, find_active_task(*reader, (*stored)->seq));
    }
    return found;
}

Result<std::vector<Instance>> SqliteStore::answer(const FindRows& query) {
    std::vector<Instance> rows;
    for (const InstanceId& id : query.ids) {
        HF_TRY(auto found, answer(FindInstance{id, Depth::row}));
        if (found) rows.push_back(std::move(found->instance));
    }
    return rows;
}

Result<InstancePage> SqliteStore::answer(const InstanceQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    const ReadTransaction transaction(*reader);
    return sqlite::search(*reader, query);
}

Result<HistoryPage> SqliteStore::answer(const HistoryQuery& query) {
    ReaderPool::Lease reader(list_readers_);
    const ReadTransaction transaction(*reader);
    HistoryPage page;
    HF_TRY(const bool more,
           read_page<HistoryRow>((*reader)["read_history"].bind(query.instance, query.from,
                                                                std::uint64_t{query.limit + 1}),
                                 query.limit, PageBudget{}.bytes, page.items, read_history_row));
    if (more) page.next = page.items.empty() ? query.from : page.items.back().version + 1;
    HF_CHECK(for_each_row((*reader)["read_history_anchor"].bind(query.instance),
                          [&](Statement& row) { page.anchor = read_history_anchor(row); }));
    return page;
}

Result<Standing> SqliteStore::answer(const FindStanding& query) {
    ReaderPool::Lease reader(readers_);
    const ReadTransaction transaction(*reader);
    Standing standing;
    HF_TRY(auto continuation, load_continuation(*reader, query.id, time()));
    standing.continuation = std::move(continuation.queued);
    HF_CHECK(for_each_row((*reader)["read_newest_incident"].bind(query.id),
                          [&](Statement& row) { standing.incident = read_history_row(row); }));
    return standing;
}

Result<std::uint64_t> SqliteStore::answer(const CountWaitsBefore& query) {
    ReaderPool::Lease reader(list_readers_);
    std::uint64_t count = 0;
    HF_CHECK(for_each_row(
        (*reader)["count_waits_before"].bind(query.channel.tenant, query.channel.event.name,
                                             query.channel.event.correlation, query.began_at,
                                             query.operation, query.token, query.most),
        [&](Statement& row) { count = static_cast<std::uint64_t>(row.integer()); }));
    return count;
}

Result<ConflictPage> SqliteStore::answer(const ConflictQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    OperationId before = query.before.value_or(OperationId{});
    if (!query.before) before.value.bytes.fill(0xff);
    const auto resolution =
        query.resolution ? std::optional(name_of(*query.resolution)) : std::nullopt;
    const std::uint64_t limit = query.limit + 1;
    Statement& statement =
        query.instance ? (*reader)["read_conflicts_of_instance"].bind(before, resolution, limit,
                                                                      query.tenant, *query.instance)
                       : (*reader)["read_conflicts"].bind(before, resolution, limit, query.tenant);
    ConflictPage page;
    HF_TRY(const bool more, read_page<ConflictRow>(statement, query.limit, query.budget.bytes,
                                                   page.items, read_row<tables::Conflicts>));
    if (more && !page.items.empty()) page.next = page.items.back().id;
    return page;
}

Result<CheckpointPage> SqliteStore::answer(const CheckpointQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    const char* statement =
        query.content == PageContent::rows ? "read_checkpoint_rows" : "read_checkpoints";
    CheckpointPage page;
    HF_TRY(const bool more,
           read_page<Checkpoint>((*reader)[statement].bind(query.instance, query.after,
                                                           std::uint64_t{query.limit + 1}),
                                 query.limit, query.budget.bytes, page.items, [&](Statement& row) {
                                     return read_checkpoint(row, query.instance);
                                 }));
    if (more && !page.items.empty()) page.next = page.items.back().name;
    return page;
}

Result<std::shared_ptr<const Definition>> SqliteStore::answer(const FindDefinition& query) {
    ReaderPool::Lease reader(readers_);
    return query.ref.version == 0 ? load_newest_definition(*reader, {query.tenant, query.ref.key})
                                  : load_definition(*reader, {query.tenant, query.ref});
}

Result<KnownEvent> SqliteStore::answer(const FindEvent& query) {
    ReaderPool::Lease reader(readers_);
    const ReadTransaction transaction(*reader);
    return load_known_event(*reader, query.id);
}

Result<PendingPage> SqliteStore::answer(const PendingEventQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.events.budget.stop);
    return read_pending(*reader, query.events);
}

Result<DeadPage> SqliteStore::answer(const DeadEventQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.events.budget.stop);
    return read_dead(*reader, query.events);
}

Result<std::optional<JournalEntry>> SqliteStore::answer(const FindJournalEntry& query) {
    ReaderPool::Lease reader(readers_);
    const ReadTransaction transaction(*reader);
    return load_journal_entry(*reader, query.instance, query.index);
}

Result<DueTimers> SqliteStore::answer(const FindDueTimers& query) {
    ReaderPool::Lease reader(readers_);
    return read_due_timers(*reader, query.limit, time());
}

Result<std::optional<HumanTask>> SqliteStore::answer(const FindTask& query) {
    ReaderPool::Lease reader(readers_);
    return load_task(*reader, query.id);
}

Result<TaskPage> SqliteStore::answer(const TaskQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    const ReadTransaction transaction(*reader);
    return read_tasks(*reader, query);
}

Result<TaskEventPage> SqliteStore::answer(const TaskEventQuery& query) {
    ReaderPool::Lease reader(list_readers_, query.budget.stop);
    return read_task_events(*reader, query);
}

Result<std::vector<IndexState>> SqliteStore::answer(const ListIndexes&) {
    ReaderPool::Lease reader(readers_);
    auto paths = load_index_paths(*reader);
    if (!paths) return std::unexpected(paths.error());
    std::vector<IndexState> states;
    for (IndexPath& path : *paths) states.push_back({std::move(path.path), path.ready});
    return states;
}

Result<void> SqliteStore::build_indexes(std::stop_token stop) {
    while (!stop.stop_requested()) {
        const auto more = backfill_some();
        if (!more) return std::unexpected(more.error());
        if (!*more) break;
    }
    return {};
}

// Small batches under the writers' mutex, in rows and in bytes: a round waits for milliseconds, not
// for the whole table.
// Rounds maintain the index rows from the declaration on; the backfill adds older instances.
Result<bool> SqliteStore::backfill_some() {
    const std::lock_guard lock(write_side_.mutex);
    Database& database = *write_side_.database;
    const auto unfinished = std::ranges::find(write_side_.index_paths, false, &IndexPath::ready);
    if (unfinished == write_side_.index_paths.end()) return false;
    IndexPath& path = *unfinished;

    if (auto begun = database["begin_round"].bind().run(); !begun)
        return std::unexpected(begun.error());
    using StateOf = std::pair<std::int64_t, std::string>;
    std::vector<StateOf> states;
    const auto more = read_page<StateOf>(
        database["backfill_rows"].bind(path.backfilled, std::uint64_t{backfill_batch + 1}),
        backfill_batch, backfill_bytes, states, [](Statement& row) {
            const std::int64_t seq = row.integer();
            return StateOf{seq, row.text()};
        });
    Result<void> done;
    if (!more) done = std::unexpected(more.error());
    for (const auto& [seq, state] : states) {
        for (const auto& [id, value] : path_values({path}, Document::trusted(state, {})))
            if (done) done = database["insert_state_path"].bind(id, value, seq).run();
    }
    const bool last = more && !*more;
    const std::int64_t reached = states.empty() ? path.backfilled : states.back().first;
    if (done) done = database["set_backfilled"].bind(path.id, reached, last).run();
    if (done) done = commit(write_side_);
    if (!done) {
        (void)database["rollback_round"].bind().run();
        stop_on_io_error(done.error());
        return std::unexpected(done.error());
    }
    path.backfilled = reached;
    path.ready = last;
    return true;
}

Result<void> SqliteStore::answer(const Ping&) {
    HF_CHECK(file_.check_place());
    ReaderPool::Lease reader(readers_);
    return for_each_row((*reader)["ping"].bind(), [](Statement&) {});
}

}  // namespace holdfast::sqlite
