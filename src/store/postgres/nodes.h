// Nodes, claims, host locks and marks: statements outside a round, each on one connection.
#pragma once

#include "model/definition.h"
#include "store/hints.h"
#include "store/nodes.h"
#include "store/postgres/connection/connection.h"
#include "store/query.h"
#include "store/standing.h"
#include "store/stream_query.h"

namespace holdfast::postgres {

Reply<void> join(Connection& connection, const Joining& joining);
Reply<Beat> beat(Connection& connection, const NodeId& id, std::chrono::microseconds lease,
                 const std::vector<std::string>& programs, Following follows);
Reply<void> leave(Connection& connection, const NodeId& id);
Reply<Backlog> backlog(Connection& connection, const CountBacklog& query);
Reply<StrandedPage> find_stranded(Connection& connection, const FindStranded& query);
Reply<std::vector<NodeRow>> nodes(Connection& connection);
Reply<std::optional<NodeRow>> node(Connection& connection, const NodeId& id);

// unknown: the reply to COMMIT was lost, the node may hold leases that it does not know of.
Reply<Claimed> claim(Connection& connection, const Claim& claim);
Reply<void> give_back(Connection& connection, const SignalId& id, const Lease& lease,
                      std::chrono::microseconds pause, GiveBack attempt);

Reply<std::optional<HostLock>> lock_host(Connection& connection, const std::string& name,
                                         const std::string& owner, std::chrono::microseconds time);
Reply<std::vector<HostLock>> host_locks(Connection& connection);
Reply<std::map<std::string, Retention>> retentions(Connection& connection);
Reply<std::vector<DefinitionSummary>> definitions(Connection& connection,
                                                  const DefinitionQuery& query);
Reply<std::vector<DefinitionSummary>> versions(Connection& connection, const VersionQuery& query);
Reply<std::optional<Moment>> mark(Connection& connection, const std::string& name);
Reply<void> set_mark(Connection& connection, const std::string& name, Moment at);
Reply<Moment> now(Connection& connection);

Reply<StreamPage> stream(Connection& connection, const StreamQuery& query);

}  // namespace holdfast::postgres
