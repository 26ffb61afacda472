// Told which instances a commit touched, in the order of commits of a shard, before anyone is
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
    std::optional<HeldContinuation> held;      // that this node is to run from now on (004.11)
};
// What a commit did that somebody beside its submitters may care for.
struct Touched {
    std::vector<TouchedInstance> instances;
    bool free_signals = false;        // some lie in the queue that nobody has leased
    bool leased = false;              // this node got continuations that it had not before
    std::optional<Moment> scheduled;  // the earliest signal that it scheduled
    std::vector<InstanceId> awoken;   // no longer wait, and a runner outside may ask for them

    bool empty() const { return instances.empty() && !free_signals && !scheduled; }
};

// Neither blocks nor throws.
class CommitListener {
public:
    virtual ~CommitListener() = default;
    virtual void committed(const Touched& touched) = 0;
    // A commit that would have leased continuations to this node may be there or not.
    virtual void in_doubt() {}
};

}  // namespace holdfast
