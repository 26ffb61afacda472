// The seam of leases: lives of nodes, claims of signals, and locks of jobs, by the store's clock.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/nodes.h"

namespace holdfast {

class Leases {
public:
    virtual ~Leases() = default;

    // Whether other nodes work on the same data.
    virtual bool is_shared() const { return false; }
    // Begins a holder of leases; its own lease counts by the store's clock (I28). On an embedded
    // store a node ends all earlier holders with their host locks, and its lease never expires.
    virtual Result<void> join(const Joining& joining) = 0;
    // Renews the lease unless it expired. `programs`: those that the node can run.
    virtual Result<Beat> beat(const NodeId& id, std::chrono::microseconds lease,
                              const std::vector<std::string>& programs) = 0;
    // Ends a life: its leases are free at once.
    virtual Result<void> leave(const NodeId& id) = 0;
    // Leases signals that are free, or whose holder is dead, to a holder, and counts the attempt
    // before it begins (I42). Oldest first; only the oldest of each instance, except for
    // continuations. Moves due scheduled signals into the queue, at most `most_moved`.
    // outcome_unknown: the node may hold leases that it does not know of; its life must end.
    virtual Result<Claimed> claim(const Claim& claim) = 0;
    // Returns a lease; the signal cannot be claimed before `pause` is over. A lease of an older
    // epoch changes nothing.
    virtual Result<void> give_back(const SignalId& id, const Lease& lease,
                                   std::chrono::microseconds pause,
                                   GiveBack attempt = GiveBack::counts) = 0;
    // Takes or renews a lock that is free, expired, or held by `owner`. Absent: another has it.
    virtual Result<std::optional<HostLock>> lock_host(const std::string& name,
                                                      const std::string& owner,
                                                      std::chrono::microseconds time) = 0;
};

}  // namespace holdfast
