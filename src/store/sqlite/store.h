// The embedded store: one SQLite file, one process, one writer.
#pragma once

#include <condition_variable>

#include "store/options.h"
#include "store/sqlite/writer.h"
#include "store/store.h"

namespace holdfast::sqlite {

// A pool of read-only connections.
class ReaderPool {
public:
    Result<void> open(const std::string& path, std::size_t count);

    class Lease {
    public:
        // Its statements fail soon after `stop` is requested.
        explicit Lease(ReaderPool& pool, const std::stop_token& stop = {})
            : pool_(pool), database_(pool.take()) {
            database_->stop_with(stop);
        }
        ~Lease() { pool_.give_back(std::move(database_)); }
        Lease(const Lease&) = delete;
        Lease& operator=(const Lease&) = delete;
        Database& operator*() { return *database_; }

    private:
        ReaderPool& pool_;
        std::unique_ptr<Database> database_;
    };

private:
    std::unique_ptr<Database> take();
    void give_back(std::unique_ptr<Database> database);

    std::mutex mutex_;
    std::condition_variable free_;
    std::vector<std::unique_ptr<Database>> databases_;
};

class SqliteStore final : public Store {
public:
    static Result<std::unique_ptr<Store>> open(const std::string& path,
                                               const StoreOptions& options);
    ~SqliteStore() override;

    std::size_t writer_count() const override { return 1; }
    Result<std::unique_ptr<Writer>> open_writer() override;

    Result<std::optional<FoundInstance>> find(const InstanceId& id, Depth depth) override;
    Result<InstancePage> search(const InstanceQuery& query) override;
    Result<HistoryPage> history(const InstanceId& id, Version from, std::size_t limit) override;
    Result<ConflictPage> conflicts(const ConflictQuery& query) override;
    Result<std::vector<Checkpoint>> checkpoints(const InstanceId& id) override;
    Result<std::shared_ptr<const Definition>> definition(const DefinitionRef& ref) override;
    Result<KnownEvent> event(const EventId& id) override;
    Result<PendingPage> pending_events(const EventQuery& query) override;
    Result<DeadPage> dead_events(const EventQuery& query) override;
    Result<std::optional<JournalEntry>> journal(const InstanceId& id, std::uint64_t index) override;
    Result<DueTimers> due_timers(std::size_t limit) override;
    Result<std::vector<std::vector<JournalEntry>>> journals(
        std::span<const JournalPart> parts) override;
    Result<void> join(const Joining& joining) override;
    Result<Beat> beat(const NodeId& node, std::chrono::microseconds lease,
                      const std::vector<std::string>& programs) override;
    Result<void> leave(const NodeId& node) override;
    Result<std::vector<NodeRow>> nodes() override;
    Result<Claimed> claim(const Claim& claim) override;
    Result<void> give_back(const SignalId& signal, const Lease& lease,
                           std::chrono::microseconds pause, GiveBack attempt) override;
    Result<std::optional<DeadLetter>> dead_letter(const SignalId& id) override;
    Result<DeadLetterPage> dead_letters(const SignalQuery& query) override;
    Result<void> announce(const Announcement& announcement) override;
    Result<void> listen(const std::function<void()>& listening,
                        const std::function<void(const Announcement&)>& heard,
                        std::stop_token stop) override;
    Result<std::optional<HostLock>> lock_host(const std::string& name, const std::string& owner,
                                              std::chrono::microseconds lease) override;
    Result<std::vector<HostLock>> host_locks() override;
    Result<std::optional<Moment>> mark(const std::string& name) override;
    Result<void> set_mark(const std::string& name, Moment at) override;
    Result<Moment> now() override;
    Result<Pruned> prune(const Prune& prune) override;
    Result<TrimmedHistories> trim_histories(const TrimHistories& trim) override;
    Result<StalePage> find_stale(const FindStale& query) override;
    Result<StrandedPage> find_stranded(const FindStranded& query) override;
    Result<std::optional<HumanTask>> task(const TaskId& id) override;
    Result<TaskPage> tasks(const TaskQuery& query) override;
    Result<std::vector<TaskEvent>> task_events(const TaskId& id) override;
    Result<std::map<std::string, Retention>> retentions() override;
    Result<std::vector<DefinitionSummary>> definitions(const DefinitionQuery& query) override;
    Result<std::vector<IndexState>> indexes() override;
    Result<void> build_indexes(std::stop_token stop) override;
    Result<void> ping() override;

private:
    SqliteStore(DatabaseFile file, const StoreOptions& options)
        : file_(std::move(file)), options_(options) {}
    Result<void> open_file();
    // Indexes the next batch of instances for the first path that is not ready. False: all are.
    Result<bool> backfill_some();
    Result<void> renew_worker(const NodeId& id, std::chrono::microseconds lease);
    Moment time() { return write_side_.clock.now(*options_.clock); }

    DatabaseFile file_;  // closed last
    const StoreOptions options_;
    WriteSide write_side_;
    ReaderPool readers_;
    ReaderPool list_readers_;  // separate, so that lists do not delay reads by key
};

}  // namespace holdfast::sqlite
