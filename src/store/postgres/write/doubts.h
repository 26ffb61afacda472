// The instances that other nodes say they have changed: a writer forgets what it kept about them. A
// lost hint costs a round that fails its guards and loads.
#pragma once

#include <mutex>
#include <vector>

#include "store/nodes.h"
#include "store/residents.h"

namespace holdfast::postgres {

// Thread-safe.
class Doubts {
public:
    void add(const Announcement& announcement) {
        const std::lock_guard lock(mutex_);
        everyone_ |= announcement.everyone;
        ids_.insert(ids_.end(), announcement.awaken.begin(), announcement.awaken.end());
        if (ids_.size() <= most_ids) return;
        everyone_ = true;
        ids_.clear();
    }
    // On the thread of the residents.
    void settle(Residents& residents) {
        const std::lock_guard lock(mutex_);
        if (std::exchange(everyone_, false)) residents.forget_all();
        for (const InstanceId& id : ids_) residents.forget(id);
        ids_.clear();
    }

private:
    static constexpr std::size_t most_ids = 1'024;

    std::mutex mutex_;
    bool everyone_ = false;
    std::vector<InstanceId> ids_;
};

}  // namespace holdfast::postgres
