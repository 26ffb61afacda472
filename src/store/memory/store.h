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
                        const std::function<void(const Announcement&)>& received,
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
    Result<std::map<std::string, Retention>> retentions() override;
    Result<std::vector<DefinitionSummary>> definitions(const DefinitionQuery& query) override;
    Result<std::optional<HumanTask>> task(const TaskId& id) override;
    Result<TaskPage> tasks(const TaskQuery& query) override;
    Result<std::vector<TaskEvent>> task_events(const TaskId& id) override;
    Result<std::vector<IndexState>> indexes() override;
    Result<void> build_indexes(std::stop_token stop) override;
    Result<void> ping() override { return {}; }

    // For a simulation that replaces the writer. One thread.
    Tables& tables() { return tables_; }
    const Clock& clock() const { return *options_.clock; }
    // Damages a stored state without the engine, as bit rot would. Tests only.
    void corrupt_state(const InstanceId& id);
    // Each id answers with the other's row, as a damaged index would. Tests only.
    void swap_rows(const InstanceId& a, const InstanceId& b);

private:
    friend class MemoryWriter;
    explicit MemoryStore(const StoreOptions& options) : options_(options) {}
    // Time never goes backwards (I24). Under the mutex.
    Moment tick() { return tables_.latest = std::max(tables_.latest, options_.clock->now()); }

    const StoreOptions options_;
    std::mutex mutex_;
    Tables tables_;
};

}  // namespace holdfast::memory
