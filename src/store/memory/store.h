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
    Result<std::vector<IndexState>> indexes() override;
    Result<void> build_indexes(std::stop_token stop) override;
    Result<void> ping() override { return {}; }

    // What it holds, for a simulation that takes the place of the writer. One thread.
    Tables& tables() { return tables_; }
    const Clock& clock() const { return *options_.clock; }
    // Damages a stored state behind the engine's back: what bit rot would do. Tests only.
    void corrupt_state(const InstanceId& id);

private:
    friend class MemoryWriter;
    explicit MemoryStore(const StoreOptions& options) : options_(options) {}

    const StoreOptions options_;
    std::mutex mutex_;
    Tables tables_;
};

}  // namespace holdfast::memory
