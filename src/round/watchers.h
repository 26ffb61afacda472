// Callbacks of this process for changes of an instance. Safe from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "round/commit_listener.h"

namespace holdfast {

class Watchers final : public CommitListener {
public:
    // Gets the instance as committed; null: it was cleared or another node changed it, so read it.
    // Runs on the thread that answers the round, or on the one that listens to other nodes: it must
    // neither block nor throw.
    using Seen = std::function<void(const Instance*)>;

    struct Ticket {
        InstanceId instance;
        std::uint64_t number = 0;
    };

    // From now on every commit of this process that touches the instance calls `seen`. A caller
    // that watches before it reads misses no change.
    Ticket watch(const InstanceId& id, Seen seen);
    // A call in progress may still arrive.
    void unwatch(const Ticket& ticket);
    void committed(const Touched& touched) override;
    // Another node announced that it touched these instances, or too many to name.
    void notify(const std::vector<InstanceId>& ids);
    void notify_all();

private:
    std::mutex mutex_;
    std::uint64_t next_ = 0;
    std::unordered_map<InstanceId, std::map<std::uint64_t, Seen>> watchers_;
};

}  // namespace holdfast
