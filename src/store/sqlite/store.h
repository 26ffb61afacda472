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
    void read(const AnyQuestion& question) override;

    Result<void> join(const Joining& joining) override;
    Result<Beat> beat(const NodeId& node, std::chrono::microseconds lease,
                      const std::vector<std::string>& programs) override;
    Result<void> leave(const NodeId& node) override;
    Result<Claimed> claim(const Claim& claim) override;
    Result<void> give_back(const SignalId& signal, const Lease& lease,
                           std::chrono::microseconds pause, GiveBack attempt) override;
    Result<void> announce(const Announcement& announcement) override;
    Result<void> listen(const std::function<void()>& listening,
                        const std::function<void(const Announcement&)>& heard,
                        std::stop_token stop) override;
    Result<std::optional<HostLock>> lock_host(const std::string& name, const std::string& owner,
                                              std::chrono::microseconds lease) override;
    Result<void> set_mark(const std::string& name, Moment at) override;
    Result<Pruned> prune(const Prune& prune) override;
    Result<TrimmedHistories> trim_histories(const TrimHistories& trim) override;
    Result<void> build_indexes(std::stop_token stop) override;
    Result<bool> change_keys(const KeyChange& change) override;
    Result<std::size_t> append_audit(const AuditAppend& append) override;

private:
    Result<std::optional<FoundInstance>> answer(const FindInstance& query);
    Result<Standing> answer(const FindStanding& query);
    Result<std::uint64_t> answer(const CountWaitsBefore& query);
    Result<std::vector<Instance>> answer(const FindRows& query);
    Result<InstancePage> answer(const InstanceQuery& query);
    Result<HistoryPage> answer(const HistoryQuery& query);
    Result<ConflictPage> answer(const ConflictQuery& query);
    Result<CheckpointPage> answer(const CheckpointQuery& query);
    Result<std::shared_ptr<const Definition>> answer(const FindDefinition& query);
    Result<KnownEvent> answer(const FindEvent& query);
    Result<PendingPage> answer(const PendingEventQuery& query);
    Result<DeadPage> answer(const DeadEventQuery& query);
    Result<std::optional<JournalEntry>> answer(const FindJournalEntry& query);
    Result<DueTimers> answer(const FindDueTimers& query);
    Result<std::vector<std::vector<JournalEntry>>> answer(const ListJournals& query);
    Result<std::vector<NodeRow>> answer(const ListNodes&);
    Result<std::optional<NodeRow>> answer(const FindNode& query);
    Result<std::optional<DeadLetter>> answer(const FindDeadLetter& query);
    Result<DeadLetterPage> answer(const DeadLetterQuery& query);
    Result<JobPage> answer(const JobQuery& query);
    Result<IncidentPage> answer(const IncidentQuery& query);
    Result<std::vector<HostLock>> answer(const ListHostLocks&);
    Result<Backlog> answer(const CountBacklog& query);
    Result<StreamPage> answer(const StreamQuery& query);
    Result<std::vector<ApiKey>> answer(const KeyQuery& query);
    Result<AuditPage> answer(const AuditQuery& query);
    Result<std::optional<Moment>> answer(const FindMark& query);
    Result<Moment> answer(const FindTime&);
    Result<StalePage> answer(const FindStale& query);
    Result<StrandedPage> answer(const FindStranded& query);
    Result<std::optional<HumanTask>> answer(const FindTask& query);
    Result<TaskPage> answer(const TaskQuery& query);
    Result<TaskEventPage> answer(const TaskEventQuery& query);
    Result<std::map<std::string, Retention>> answer(const ListRetentions&);
    Result<std::vector<DefinitionSummary>> answer(const DefinitionQuery& query);
    Result<std::vector<DefinitionSummary>> answer(const VersionQuery& query);
    Result<std::vector<IndexState>> answer(const ListIndexes&);
    Result<void> answer(const Ping&);

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
