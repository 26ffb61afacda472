// The continuation of an instance: its one InternalContinue signal. In every committed state a
// running instance that a node runs has exactly one, free or leased (I47). Operations do not
// write it: like waits, it is derived from the instance when the round is written.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/journal.h"
#include "model/signal.h"
#include "program/traits.h"

namespace holdfast {

// The node that decides a round: what it may lease to itself (004.11).
struct Self {
    std::optional<NodeId> node;      // absent: it takes no leases
    std::set<std::string> programs;  // by definition key, or of jobs
    bool has_room = true;            // false: other nodes may claim the continuations
    std::size_t room_for_jobs = 0;   // so many it can begin now; others may claim the rest
};

// As the first lease of a new signal.
inline void lease_to(const NodeId& node, SignalRow& row) {
    row.leased_by = node;
    ++row.epoch;
    row.attempts = 1;
}

// A continuation that is leased to this node.
struct HeldContinuation {
    SignalId signal;
    Lease lease;
    std::vector<JournalEntry> journal;  // what the commit recorded for its instance, in order
};

// An instance whose continuation is a dead letter needs none until it is redriven.
inline bool needs_continuation(const Instance& instance) {
    return traits_of(instance).has_continuation && instance.status == Status::running &&
           !instance.buried;
}

}  // namespace holdfast
