// Commits rounds to a SQLite file through the one connection that writes.
#pragma once

#include <atomic>
#include <mutex>

#include "store/options.h"
#include "store/sqlite/database.h"
#include "store/sqlite/index_paths.h"
#include "store/store.h"

namespace holdfast::sqlite {

// Time as the store sees it: the process clock, never backwards (I24). Safe from any thread.
class RisingClock {
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

// The connection that makes every write and every checkpoint: with two of them SQLite 3.40 may
// corrupt the WAL when it resets it. Rounds and index backfills take turns.
struct WriteSide {
    std::mutex mutex;
    std::unique_ptr<Database> database;
    std::vector<IndexPath> index_paths;
    std::map<DefinitionRef, std::shared_ptr<const Definition>>
        definitions;  // immutable, so never stale
    RisingClock clock;
};

// A failed fsync may not be retried: the kernel has dropped the pages and would report success
// (I37). The process stops and recovers from what the disk really holds.
void stop_on_io_error(const Error& error);

// Runs a write that is no round as a transaction of its own, in turn with the rounds.
template <class Work>
auto transact(WriteSide& side, const Work& work) -> decltype(work(*side.database)) {
    const std::lock_guard lock(side.mutex);
    Database& database = *side.database;
    HF_CHECK(database["begin_round"].bind().run());
    auto result = work(database);
    if (result) {
        if (auto done = database["commit_round"].bind().run(); !done)
            result = std::unexpected(done.error());
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
    Result<std::size_t> run(const Round& round, const Decide& decide);

    WriteSide& side_;
    const StoreOptions& options_;
};

}  // namespace holdfast::sqlite
