// Recently committed open instances, for reads that may be slightly stale. Safe from any thread.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "model/instance.h"

namespace holdfast {

class ActiveInstances {
public:
    explicit ActiveInstances(std::size_t capacity) : capacity_(capacity) {}

    void put(std::shared_ptr<const Instance> instance);
    void forget(const InstanceId& id);
    // After a store error the cached instances may be wrong (I33).
    void forget_all();
    std::shared_ptr<const Instance> find(const InstanceId& id) const;

private:
    const std::size_t capacity_;
    mutable std::mutex mutex_;
    std::unordered_map<InstanceId, std::shared_ptr<const Instance>> instances_;
    std::deque<InstanceId> order_;  // of insertion; the oldest is evicted first
};

}  // namespace holdfast
