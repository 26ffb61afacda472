// A store that forwards every call to another one; a test overrides the calls that it counts,
// delays or fails.
#pragma once

#include "store/store.h"

namespace holdfast::testing {

class ForwardingStore : public Store {
public:
    explicit ForwardingStore(Store& inner) : inner_(inner) {}

    bool is_shared() const override { return true; }
    std::size_t writer_count() const override { return inner_.writer_count(); }
    Result<std::unique_ptr<Writer>> open_writer() override { return inner_.open_writer(); }
    Result<std::optional<FoundInstance>> find(const InstanceId& id, Depth depth) override {
        return inner_.find(id, depth);
    }
    Result<InstancePage> search(const InstanceQuery& query) override {
        return inner_.search(query);
    }
    Result<HistoryPage> history(const InstanceId& id, Version from, std::size_t limit) override {
        return inner_.history(id, from, limit);
    }
    Result<ConflictPage> conflicts(const ConflictQuery& query) override {
        return inner_.conflicts(query);
    }
    Result<std::vector<Checkpoint>> checkpoints(const InstanceId& id) override {
        return inner_.checkpoints(id);
    }
    Result<std::shared_ptr<const Definition>> definition(const DefinitionRef& ref) override {
        return inner_.definition(ref);
    }
    Result<KnownEvent> event(const EventId& id) override { return inner_.event(id); }
    Result<PendingPage> pending_events(const EventQuery& query) override {
        return inner_.pending_events(query);
    }
    Result<DeadPage> dead_events(const EventQuery& query) override {
        return inner_.dead_events(query);
    }
    Result<std::optional<JournalEntry>> journal(const InstanceId& id,
                                                std::uint64_t index) override {
        return inner_.journal(id, index);
    }
    Result<DueTimers> due_timers(std::size_t limit) override { return inner_.due_timers(limit); }
    Result<std::vector<IndexState>> indexes() override { return inner_.indexes(); }
    Result<void> build_indexes(std::stop_token stop) override {
        return inner_.build_indexes(std::move(stop));
    }
    Result<void> ping() override { return inner_.ping(); }

    Result<void> join(const Joining& joining) override { return inner_.join(joining); }
    Result<Beat> beat(const NodeId& node, std::chrono::microseconds lease,
                      const std::vector<std::string>& programs) override {
        return inner_.beat(node, lease, programs);
    }
    Result<void> leave(const NodeId& node) override { return inner_.leave(node); }
    Result<std::vector<NodeRow>> nodes() override { return inner_.nodes(); }
    Result<Claimed> claim(const Claim& claim) override { return inner_.claim(claim); }
    Result<void> give_back(const SignalId& signal, const Lease& lease,
                           std::chrono::microseconds pause, GiveBack attempt) override {
        return inner_.give_back(signal, lease, pause, attempt);
    }
    Result<std::optional<DeadLetter>> dead_letter(const SignalId& id) override {
        return inner_.dead_letter(id);
    }
    Result<void> announce(const Announcement& announcement) override {
        return inner_.announce(announcement);
    }
    Result<std::optional<HostLock>> lock_host(const std::string& name, const std::string& owner,
                                              std::chrono::microseconds lease) override {
        return inner_.lock_host(name, owner, lease);
    }
    Result<std::optional<Moment>> mark(const std::string& name) override {
        return inner_.mark(name);
    }
    Result<void> set_mark(const std::string& name, Moment at) override {
        return inner_.set_mark(name, at);
    }
    Result<Moment> now() override { return inner_.now(); }
    Result<Pruned> prune(const Prune& prune) override { return inner_.prune(prune); }
    Result<TrimmedHistories> trim_histories(const TrimHistories& trim) override {
        return inner_.trim_histories(trim);
    }
    Result<StrandedPage> find_stranded(const FindStranded& query) override {
        return inner_.find_stranded(query);
    }
    Result<StalePage> find_stale(const FindStale& query) override {
        return inner_.find_stale(query);
    }
    Result<std::map<std::string, Retention>> retentions() override { return inner_.retentions(); }
    Result<std::vector<DefinitionSummary>> definitions(const DefinitionQuery& query) override {
        return inner_.definitions(query);
    }
    Result<std::vector<std::vector<JournalEntry>>> journals(
        std::span<const JournalPart> parts) override {
        return inner_.journals(parts);
    }
    Result<DeadLetterPage> dead_letters(const SignalQuery& query) override {
        return inner_.dead_letters(query);
    }
    Result<void> listen(const std::function<void()>& listening,
                        const std::function<void(const Announcement&)>& heard,
                        std::stop_token stop) override {
        return inner_.listen(listening, heard, std::move(stop));
    }
    Result<std::vector<HostLock>> host_locks() override { return inner_.host_locks(); }
    Result<std::optional<HumanTask>> task(const TaskId& id) override { return inner_.task(id); }
    Result<TaskPage> tasks(const TaskQuery& query) override { return inner_.tasks(query); }
    Result<std::vector<TaskEvent>> task_events(const TaskId& id) override {
        return inner_.task_events(id);
    }

protected:
    Store& inner_;
};

}  // namespace holdfast::testing
