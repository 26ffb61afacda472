// The one database that all simulated nodes share: the tables of the memory store behind
// PostgreSQL's locks and visibility, with time passing between every two calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/faults.h"
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
    Database(Scheduler& scheduler, Random& random, VirtualClock& clock, Faults& faults);

    memory::MemoryStore& store() { return *store_; }
    memory::Tables& tables() { return store_->tables(); }
    Scheduler& scheduler() { return scheduler_; }
    Random& random() { return random_; }
    Faults& faults() { return faults_; }
    RowLocks& locks() { return locks_; }
    TransactionNumber next_transaction() { return ++transactions_; }

    // Called before and after every call that reaches the database.
    void call_begins();
    void call_ends();
    std::uint64_t calls() const { return calls_; }
    // The node that makes that call dies there.
    void crash_at(CrashPoint point) { crash_point_ = point; }
    std::function<void(NodeNumber)> on_crash;

    // After every commit: rules that hold in every committed state.
    void check_always();
    const std::vector<std::string>& violations() const { return violations_; }
    void violation(std::string text) { violations_.push_back(std::move(text)); }
    std::uint64_t commits = 0;

private:
    void crash_here();

    Scheduler& scheduler_;
    Random& random_;
    Faults& faults_;
    std::unique_ptr<memory::MemoryStore> store_;
    RowLocks locks_;
    TransactionNumber transactions_ = 0;
    std::uint64_t calls_ = 0;
    CrashPoint crash_point_;
    std::vector<std::string> violations_;
};

// A node's own door to the database.
class NodeStore final : public Store {
public:
    NodeStore(Database& database, std::size_t writers) : database_(database), writers_(writers) {}

    std::size_t writer_count() const override { return writers_; }
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
    Result<std::vector<IndexState>> indexes() override;
    Result<void> build_indexes(std::stop_token stop) override;
    Result<void> ping() override;

private:
    template <class Read>
    auto read(Read read) -> decltype(read());

    Database& database_;
    std::size_t writers_;
};

}  // namespace holdfast::sim
