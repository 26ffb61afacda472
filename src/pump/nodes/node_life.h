// The life of this node: the lease under which it holds signals. When the lease expires, the node
// loses all its signals and begins another life under another id (I29, I30).
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/ids/id_source.h"
#include "pump/metrics.h"
#include "store/leases.h"

namespace holdfast {

// Safe from any thread.
class NodeLife {
public:
    using Steady = std::chrono::steady_clock;
    struct Options {
        std::string name;
        std::chrono::microseconds lease{0};  // on a shared store
        std::vector<std::string> programs;
        std::function<Steady::time_point()> steady = Steady::now;
    };
    // Called when a life is over, before the next one begins.
    using Ended = std::function<void(const NodeId&)>;

    NodeLife(Leases& store, IdSource& ids, PumpMetrics& metrics, Options options, Ended ended);

    // Absent: between two lives; the node holds nothing.
    std::optional<NodeId> id() const;
    const Options& options() const { return options_; }

    // Begins a life unless there is one.
    Result<void> join();
    // Renews the lease. If it expired, or could not be renewed for as long as it lasts, this life
    // ends, and the next one begins as soon as the store allows.
    Result<Beat> beat();
    // Ends this life at once: it may hold leases that it does not know of.
    void end();
    // Leaves the store: what this life holds is free for other nodes.
    Result<void> leave();

private:
    Result<void> join_locked();
    void end_locked();

    Leases& store_;
    IdSource& ids_;
    PumpMetrics& metrics_;
    const Options options_;
    const Ended ended_;
    const std::chrono::microseconds lease_;
    std::mutex statements_;  // one at a time: no beat or end during a join
    Steady::time_point good_until_;
    std::optional<NodeId> abandoned_;  // may still be in the store
    mutable std::mutex mutex_;
    std::optional<NodeId> id_;
};

}  // namespace holdfast
