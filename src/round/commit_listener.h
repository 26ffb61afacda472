// Notified which instances a commit touched: in commit order per shard, before the submitters are
// answered.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "store/continuation.h"

namespace holdfast {

struct TouchedInstance {
    InstanceId id;
    std::shared_ptr<const Instance> instance;  // as committed; absent: cleared
    std::optional<HeldContinuation> held;      // leased to this node, which runs it (004.11)
};
// The effects of a commit that concern others than its submitters.
struct Touched {
    std::vector<TouchedInstance> instances;
    bool free_signals = false;             // it queued signals that no node has leased
    bool leased = false;                   // it leased continuations or jobs to this node
    std::vector<SignalRow> held_jobs;      // of those
    std::optional<Moment> scheduled;       // the earliest signal that it scheduled
    std::vector<DeadLetterReason> buried;  // of the dead letters that it wrote
    std::vector<InstanceId> awoken;        // clients may be polling for what happened to them
    bool told = false;                     // the stream of changes has more

    bool empty() const { return instances.empty() && !free_signals && !scheduled; }
};

// Implementations neither block nor throw.
class CommitListener {
public:
    virtual ~CommitListener() = default;
    // On the shard's answer thread, for small rounds on its round thread.
    virtual void committed(const Touched& touched) = 0;
    // A commit that leases continuations or jobs to this node may or may not be durable. On the
    // round thread.
    virtual void outcome_unknown() {}
};

}  // namespace holdfast
