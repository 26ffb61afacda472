// The reference store: everything in maps, one mutex, nothing durable. The simulation runs on it.
#pragma once

#include <mutex>

#include "store/memory/tables.h"
#include "store/options.h"
#include "store/store.h"

namespace holdfast::memory {

class MemoryStore final : public Store {
public:
    static Result<std::unique_ptr<Store>> open(const StoreOptions& options);

    std::size_t writer_count() const override { return options_.writers ? options_.writers : 1; }
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
                        const std::function<void(const Announcement&)>& received,
                        std::stop_token stop) override;
    Result<std::optional<HostLock>> lock_host(const std::string& name, const std::string& owner,
                                              std::chrono::microseconds lease) override;
    Result<void> set_mark(const std::string& name, Moment at) override;
    Result<Pruned> prune(const Prune& prune) override;
    Result<TrimmedHistories> trim_histories(const TrimHistories& trim) override;
    Result<void> build_indexes(std::stop_token stop) override;
    Result<bool> change_keys(const KeyChange& change) override;
    Result<std::size_t> append_audit(const AuditAppend& append) override;

    // For a simulation that replaces the writer. One thread.
    Tables& tables() { return tables_; }
    const Clock& clock() const { return *options_.clock; }
    // Damages a stored state without the engine, as bit rot would. Tests only.
    void corrupt_state(const InstanceId& id);
    // Each id answers with the other's row, as a damaged index would. Tests only.
    void swap_rows(const InstanceId& a, const InstanceId& b);

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
    Result<std::map<std::string, Retention>> answer(const ListRetentions&);
    Result<std::vector<DefinitionSummary>> answer(const DefinitionQuery& query);
    Result<std::vector<DefinitionSummary>> answer(const VersionQuery& query);
    Result<std::optional<HumanTask>> answer(const FindTask& query);
    Result<TaskPage> answer(const TaskQuery& query);
    Result<TaskEventPage> answer(const TaskEventQuery& query);
    Result<std::vector<IndexState>> answer(const ListIndexes&);
    Result<void> answer(const Ping&) { return {}; }

    friend class MemoryWriter;
    explicit MemoryStore(const StoreOptions& options) : options_(options) {}
    // Time never goes backwards (I24). Under the mutex.
    Moment tick() { return tables_.latest = std::max(tables_.latest, options_.clock->now()); }

    const StoreOptions options_;
    std::mutex mutex_;
    Tables tables_;
};

}  // namespace holdfast::memory
