#include "round/active_instances.h"

namespace holdfast {

void ActiveInstances::put(std::shared_ptr<const Instance> instance) {
    const InstanceId id = instance->id;
    const std::lock_guard lock(mutex_);
    if (instances_.insert_or_assign(id, std::move(instance)).second) order_.push_back(id);
    while (instances_.size() > capacity_ || order_.size() > 2 * capacity_) {
        instances_.erase(order_.front());
        order_.pop_front();
    }
}

void ActiveInstances::forget(const InstanceId& id) {
    const std::lock_guard lock(mutex_);
    instances_.erase(id);
}

void ActiveInstances::forget_all() {
    const std::lock_guard lock(mutex_);
    instances_.clear();
    order_.clear();
}

std::shared_ptr<const Instance> ActiveInstances::find(const InstanceId& id) const {
    const std::lock_guard lock(mutex_);
    const auto found = instances_.find(id);
    return found == instances_.end() ? nullptr : found->second;
}

}  // namespace holdfast
