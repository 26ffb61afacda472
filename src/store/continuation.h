// The continuation of an instance: its one InternalContinue signal. In every committed state a
// running instance that has a program has exactly one, free or leased (I47). It is no operation's
// business: it follows from the instance as waits do, when the round is written.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/journal.h"
#include "model/signal.h"

namespace holdfast {

// The node on which a round is decided, for what it emits to itself (004.11).
struct Self {
    std::optional<NodeId> node;      // absent: takes no leases
    std::set<std::string> programs;  // by definition key
    bool has_room = true;            // false: busy enough; others may have it
};

// A continuation that this node has the lease of.
struct HeldContinuation {
    SignalId signal;
    Lease lease;
    std::vector<JournalEntry> journal;  // what the commit recorded of its instance, in order
};

// One whose continuation became a dead letter waits for somebody to look at it.
inline bool needs_continuation(const Instance& instance) {
    return instance.program && instance.status == Status::running && !instance.program->buried;
}

}  // namespace holdfast
