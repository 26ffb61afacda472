// Holdfast's state in PostgreSQL, shared by many nodes.
#pragma once

#include <memory>
#include <string>

#include "store/options.h"
#include "store/postgres/definition_cache.h"
#include "store/postgres/pool.h"
#include "store/store.h"

namespace holdfast::postgres {

// Applies migrations, then opens. newer_schema, unavailable: as their names say.
Result<std::unique_ptr<Store>> open_postgres(const std::string& url, const StoreOptions& options);

// Its writers must not outlive it.
class PostgresStore final : public Store {
public:
    PostgresStore(const Address& address, const StoreOptions& options);

    std::size_t writer_count() const override;
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
    // Lends `ask` a connection; once more with a new one if that was lost.
    template <class Ask>
    auto read(Ask ask);

    Address address_;
    StoreOptions options_;
    DefinitionCache definitions_;
    ConnectionPool readers_;
};

}  // namespace holdfast::postgres
