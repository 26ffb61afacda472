// The one database that all simulated nodes share: the tables of the memory store behind
// PostgreSQL's locks and visibility, with time passing between every two calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/faults.h"
#include "sim/ledger.h"
#include "sim/row_locks.h"
#include "sim/scheduler.h"
#include "store/memory/store.h"

namespace holdfast::sim {

// Which call of the store, counted over the whole run; a crash can be placed at any of them.
struct CrashPoint {
    std::uint64_t call = 0;  // 0: nowhere
    bool after = false;
};

class Database {
public:
    Database(Scheduler& scheduler, Random& random, VirtualClock& clock, Faults& faults,
             Ledger& ledger);

    memory::MemoryStore& store() { return *store_; }
    memory::Tables& tables() { return store_->tables(); }
    Scheduler& scheduler() { return scheduler_; }
    Random& random() { return random_; }
    Faults& faults() { return faults_; }
    Ledger& ledger() { return ledger_; }
    RowLocks& locks() { return locks_; }
    TransactionNumber next_transaction() { return ++transactions_; }
    // Whether a transaction has locked that row of the signal queue.
    bool is_locked(const SignalId& id) const;

    // A definition that exists from the beginning.
    void define(const std::string& key, const std::string& kind,
                std::optional<std::string> source = {});

    // Called before and after every call that reaches the database.
    void call_begins();
    void call_ends();
    std::uint64_t calls() const { return calls_; }
    // The node that makes that call crashes there.
    void crash_at(CrashPoint point) { crash_point_ = point; }
    std::function<void(NodeNumber)> on_crash;
    // A commit of that node queued signals that others may claim.
    std::function<void(NodeNumber)> on_announce;

    // After every commit: rules that hold in every committed state.
    void check_always();
    // Before a commit: operations of programs held their lease when they were decided (I29).
    void check_leases(const Changes& changes, const std::set<NodeId>& alive);
    std::set<NodeId> alive() const;
    const std::vector<std::string>& violations() const { return violations_; }
    bool is_violated() const { return !violations_.empty(); }
    void violation(std::string text) { violations_.push_back(std::move(text)); }
    std::uint64_t commits = 0;

private:
    void crash_here();
    void check_instances();
    void check_wait(const InstanceId& id, const Wait& wait);
    void check_continuations();
    void check_signals();

    static constexpr TransactionNumber no_transaction = 0;

    Scheduler& scheduler_;
    Random& random_;
    Faults& faults_;
    Ledger& ledger_;
    std::unique_ptr<memory::MemoryStore> store_;
    RowLocks locks_;
    TransactionNumber transactions_ = 0;
    std::uint64_t calls_ = 0;
    CrashPoint crash_point_;
    std::vector<std::string> violations_;
};

// The store of one node, over the shared database.
class NodeStore final : public Store {
public:
    NodeStore(Database& database, std::size_t writers) : database_(database), writers_(writers) {}

    bool is_shared() const override { return true; }
    std::size_t writer_count() const override { return writers_; }
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

private:
    // A call that reaches the database, unless that is away.
    template <class Work>
    auto call(Work work) -> decltype(work());
    // A write outside rounds: it may be committed and its result lost.
    template <class Write>
    auto write(Write write) -> decltype(write());
    void lose(const Claimed& claimed, const std::map<SignalId, NodeId>& holders);

    Database& database_;
    std::size_t writers_;
};

}  // namespace holdfast::sim
