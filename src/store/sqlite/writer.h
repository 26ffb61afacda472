// Commits rounds to a SQLite file through its only write connection.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>

#include "store/definition_cache.h"
#include "store/options.h"
#include "store/residents.h"
#include "store/sqlite/database.h"
#include "store/sqlite/database_file.h"
#include "store/sqlite/index_paths.h"
#include "store/sqlite/queue_sizes.h"
#include "store/store.h"

namespace holdfast::sqlite {

// The store's time: the process clock, but never going back (I24). Thread-safe.
class MonotonicClock {
public:
    Moment now(const Clock& clock) {
        Moment seen = latest_.load();
        const Moment now = clock.now();
        while (seen < now && !latest_.compare_exchange_weak(seen, now)) {
        }
        return std::max(seen, now);
    }

private:
    std::atomic<Moment> latest_{};
};

// The integer keys of the loaded instances.
using Sequences = std::map<InstanceId, std::int64_t>;

// The only connection that writes and checkpoints: with two of them SQLite 3.40 may corrupt the WAL
// when it resets it. The mutex serialises rounds, other writes and index backfills.
struct WriteSide {
    static constexpr std::size_t most_residents = 1'024;

    std::mutex mutex;
    std::unique_ptr<Database> database;
    std::vector<IndexPath> index_paths;
    DefinitionCache definitions;
    // No other process writes: what a round left is as it left it until another write here.
    Residents residents{most_residents};
    QueueSizes queue_sizes;
    std::optional<std::set<NodeId>> joined;  // the living nodes; absent: not read
    std::uint64_t position = 0;              // of the last round in the stream
    std::int64_t unplaced = 0;               // of the last round that the stream does not tell of
    std::set<RoundId> barred;                // settled as never committed
    MonotonicClock clock;
    DatabaseFile* file = nullptr;
    std::string wal_path;       // empty: the file has no WAL
    std::size_t wal_pages = 0;  // after the last commit
    std::uint64_t rows = 0;     // changed by the connection until then
    std::size_t checkpoint_at = 0;
    std::function<void()> lost;  // StoreOptions::file_lost
    bool is_lost = false;

    // The rows may be others than the last round left.
    void forget() {
        residents.forget_all();
        queue_sizes.forget_all();
        joined.reset();
    }
};

// What the last rounds in the file were given: the next ones go on from there.
Result<void> load_positions(WriteSide& side);

// Commits the open transaction; a checkpoint follows if one is due. unavailable: the file is not in
// its place any more, and nothing is committed.
Result<void> commit(WriteSide& side);

// A failed fsync must not be retried: the kernel has dropped the pages and would report success
// (I37). The process aborts and recovers from the file on disk.
void stop_on_io_error(const Error& error);

// Runs a write outside the rounds in its own transaction, serialised with the rounds. It may change
// any row.
template <class Work>
auto transact(WriteSide& side, const Work& work) -> decltype(work(*side.database)) {
    const std::lock_guard lock(side.mutex);
    side.forget();
    Database& database = *side.database;
    HF_CHECK(database["begin_round"].bind().run());
    auto result = work(database);
    if (result) {
        if (auto done = commit(side); !done) result = std::unexpected(done.error());
    }
    if (!result) {
        (void)database["rollback_round"].bind().run();
        stop_on_io_error(result.error());
    }
    return result;
}

class SqliteWriter final : public Writer {
public:
    SqliteWriter(WriteSide& side, const StoreOptions& options) : side_(side), options_(options) {}

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override;
    Result<CommitStatus> commit_status(const RoundId& round) override;

private:
    struct Attempt {
        Sequences sequences;
        std::optional<View> view;
    };
    Result<std::size_t> run(const Round& round, const Decide& decide, Attempt& attempt);

    WriteSide& side_;
    const StoreOptions& options_;
};

}  // namespace holdfast::sqlite
