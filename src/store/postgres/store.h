// The PostgreSQL store, shared by several nodes.
#pragma once

#include <memory>
#include <string>

#include "store/options.h"
#include "store/postgres/connection/pool.h"
#include "store/postgres/read/definition_cache.h"
#include "store/store.h"

namespace holdfast::postgres {

// Applies the migrations, checks durability, then opens the store.
Result<std::unique_ptr<Store>> open_postgres(const std::string& url, const StoreOptions& options);

// Its writers must not outlive it.
class PostgresStore final : public Store {
public:
    PostgresStore(const Address& address, const StoreOptions& options);

    bool is_shared() const override { return true; }
    std::size_t writer_count() const override;
    Result<std::unique_ptr<Writer>> open_writer() override;

    Result<std::optional<FoundInstance>> find(const InstanceId& id, Depth depth) override;
    Result<std::vector<Instance>> find_rows(std::span<const InstanceId> ids) override;
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
    Result<Beat> beat(const NodeId& id, std::chrono::microseconds lease,
                      const std::vector<std::string>& programs) override;
    Result<void> leave(const NodeId& id) override;
    Result<std::vector<NodeRow>> nodes() override;
    Result<Claimed> claim(const Claim& claim) override;
    Result<void> give_back(const SignalId& id, const Lease& lease, std::chrono::microseconds pause,
                           GiveBack attempt) override;
    Result<std::optional<DeadLetter>> dead_letter(const SignalId& id) override;
    Result<DeadLetterPage> dead_letters(const SignalQuery& query) override;

    Result<void> announce(const Announcement& announcement) override;
    Result<void> listen(const std::function<void()>& listening,
                        const std::function<void(const Announcement&)>& heard,
                        std::stop_token stop) override;

    Result<std::optional<HostLock>> lock_host(const std::string& name, const std::string& owner,
                                              std::chrono::microseconds time) override;
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
    Result<void> ping() override;

private:
    template <class Work>
    auto browse(Work work) {
        return with_connection(browse_pool_, work);
    }
    template <class Work>
    auto list_by_key(Work work) {
        return with_connection(keyed_list_pool_, work);
    }
    template <class Work>
    auto look_up(Work work) {
        return with_connection(lookup_pool_, work);
    }
    template <class Work>
    auto run(Work work) {
        return with_connection(node_pool_, work);
    }

    std::string sender_;  // identifies its own announcements
    Address address_;
    StoreOptions options_;
    DefinitionCache definitions_;
    ConnectionPool browse_pool_;      // lists and searches: the planner decides
    ConnectionPool lookup_pool_;      // reads by key: generic index plans, as in a round
    ConnectionPool keyed_list_pool_;  // lists by key: the same plans, and they delay no other read
    ConnectionPool node_pool_;        // separate, so that reads do not delay a heartbeat
};

}  // namespace holdfast::postgres
