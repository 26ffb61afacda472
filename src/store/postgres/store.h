// The PostgreSQL store, shared by several nodes.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "store/definition_cache.h"
#include "store/options.h"
#include "store/postgres/connection/pool.h"
#include "store/postgres/write/doubts.h"
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
    void read(const AnyQuestion& question) override;

    Result<void> join(const Joining& joining) override;
    Result<Beat> beat(const NodeId& id, std::chrono::microseconds lease,
                      const std::vector<std::string>& programs) override;
    Result<void> leave(const NodeId& id) override;
    Result<Claimed> claim(const Claim& claim) override;
    Result<void> give_back(const SignalId& id, const Lease& lease, std::chrono::microseconds pause,
                           GiveBack attempt) override;

    Result<void> announce(const Announcement& announcement) override;
    Result<void> listen(const std::function<void()>& listening,
                        const std::function<void(const Announcement&)>& heard,
                        std::stop_token stop) override;

    void follow_changes(Following follows) override { follows_ = follows; }

    Result<std::optional<HostLock>> lock_host(const std::string& name, const std::string& owner,
                                              std::chrono::microseconds time) override;
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
    Result<std::map<std::string, Retention>> answer(const ListRetentions&);
    Result<std::vector<DefinitionSummary>> answer(const DefinitionQuery& query);
    Result<std::vector<DefinitionSummary>> answer(const VersionQuery& query);
    Result<std::optional<HumanTask>> answer(const FindTask& query);
    Result<TaskPage> answer(const TaskQuery& query);
    Result<TaskEventPage> answer(const TaskEventQuery& query);
    Result<std::vector<IndexState>> answer(const ListIndexes&);
    Result<void> answer(const Ping&);

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
    std::atomic<Following> follows_ = Following::no;
    Address address_;
    StoreOptions options_;
    DefinitionCache definitions_;
    std::mutex writers_mutex_;
    std::vector<std::shared_ptr<Doubts>> doubts_;  // of each writer
    ConnectionPool browse_pool_;                   // lists and searches: the planner decides
    ConnectionPool lookup_pool_;      // reads by key: generic index plans, as in a round
    ConnectionPool keyed_list_pool_;  // lists by key: the same plans, and they delay no other read
    ConnectionPool node_pool_;        // separate, so that reads do not delay a heartbeat
};

}  // namespace holdfast::postgres
