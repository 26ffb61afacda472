// Who in this process wants to hear when an instance was touched. Safe from any thread.
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
    // Gets the instance as committed; null: it was cleared, or another node changed it: read it.
    // Runs on the thread that tells of commits, so it must neither block nor throw.
    using Seen = std::function<void(const Instance*)>;

    struct Ticket {
        InstanceId instance;
        std::uint64_t number = 0;
    };

    // From here on every commit of this process that touches the instance is told. Whoever watches
    // before it reads misses nothing.
    Ticket watch(const InstanceId& id, Seen seen);
    // A call that is under way may still arrive.
    void unwatch(const Ticket& ticket);
    void committed(const Touched& touched) override;
    // Another node says that it touched these, or too many to name.
    void heard(const std::vector<InstanceId>& ids);
    void heard_of_all();

private:
    std::mutex mutex_;
    std::uint64_t next_ = 0;
    std::unordered_map<InstanceId, std::map<std::uint64_t, Seen>> watchers_;
};

}  // namespace holdfast
