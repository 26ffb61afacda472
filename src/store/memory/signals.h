// The signal queue of a memory store: loads it for a round, applies the changes, and lets nodes
// claim.
#pragma once

#include "store/memory/tables.h"

namespace holdfast::memory {

void load_signals(const Tables& tables, const ReadSet& reads, Loaded& loaded);
// An id is in the queue once, and an instance has one continuation (I47).
Result<void> check_signals(const Tables& tables, const Changes& changes);
std::size_t count_signal_rows(const Changes& changes);
// After the instances: a fan-out sees the waits as the round left them.
void apply_signals(Tables& tables, const Changes& changes);
// Everything of an instance except its dead letters. Returns the number of rows.
std::size_t erase_signals_of(Tables& tables, const InstanceId& id);

// All by the time in tables.latest.
Backlog backlog_of(const Tables& tables, const CountBacklog& query);
StrandedPage find_stranded(const Tables& tables, const FindStranded& query);
bool is_alive(const Tables& tables, const NodeId& node);
// `is_locked`: rows locked by a transaction of a simulation; they are skipped.
Claimed claim(Tables& tables, const Claim& claim,
              const std::function<bool(const SignalId&)>& is_locked = {});
// Frees the node's leases, except locked rows, which stay leased to a dead node.
void leave(Tables& tables, const NodeId& node,
           const std::function<bool(const SignalId&)>& is_locked = {});
// When this node may find something to claim. Absent: there is nothing for it.
std::optional<Moment> claimable_at(const Tables& tables, const NodeId& node,
                                   const std::vector<std::string>& programs);
std::optional<Moment> earliest_timer(const Tables& tables);

}  // namespace holdfast::memory
