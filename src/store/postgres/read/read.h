// Queries of the read side, each on one connection and with one snapshot.
#pragma once

#include "store/definition_cache.h"
#include "store/postgres/connection/connection.h"
#include "store/queries.h"

namespace holdfast::postgres {

Reply<std::optional<FoundInstance>> find(Connection& connection, const InstanceId& id, Depth depth);
Reply<std::vector<Instance>> find_rows(Connection& connection, std::span<const InstanceId> ids);
Reply<Standing> standing(Connection& connection, const InstanceId& id);
Reply<std::uint64_t> count_waits_before(Connection& connection, const CountWaitsBefore& query);
Reply<HistoryPage> history(Connection& connection, const InstanceId& id, Version from,
                           std::size_t limit);
Reply<ConflictPage> conflicts(Connection& connection, const ConflictQuery& query);
Reply<CheckpointPage> checkpoints(Connection& connection, const CheckpointQuery& query);
// Version 0: the newest.
Reply<std::shared_ptr<const Definition>> definition(Connection& connection, const TenantRef& wanted,
                                                    DefinitionCache& cache);
Reply<std::vector<IndexState>> indexes(Connection& connection);
Reply<void> ping(Connection& connection);

}  // namespace holdfast::postgres
