#include "round/watchers.h"

namespace holdfast {

Watchers::Ticket Watchers::watch(const InstanceId& id, Seen seen) {
    const std::lock_guard lock(mutex_);
    const Ticket ticket{id, ++next_};
    watchers_[id].emplace(ticket.number, std::move(seen));
    return ticket;
}

void Watchers::unwatch(const Ticket& ticket) {
    const std::lock_guard lock(mutex_);
    const auto found = watchers_.find(ticket.instance);
    if (found == watchers_.end()) return;
    found->second.erase(ticket.number);
    if (found->second.empty()) watchers_.erase(found);
}

// Calls outside the lock: a callback may unwatch.
void Watchers::committed(const Touched& touched) {
    std::vector<std::pair<Seen, const Instance*>> calls;
    {
        const std::lock_guard lock(mutex_);
        if (watchers_.empty()) return;
        for (const auto& [id, instance, held] : touched.instances) {
            const auto found = watchers_.find(id);
            if (found == watchers_.end()) continue;
            for (const auto& [number, seen] : found->second)
                calls.emplace_back(seen, instance ? &*instance : nullptr);
        }
    }
    for (const auto& [seen, instance] : calls) seen(instance);
}

void Watchers::notify(const std::vector<InstanceId>& ids) {
    std::vector<Seen> calls;
    {
        const std::lock_guard lock(mutex_);
        for (const InstanceId& id : ids) {
            const auto found = watchers_.find(id);
            if (found == watchers_.end()) continue;
            for (const auto& [number, seen] : found->second) calls.push_back(seen);
        }
    }
    for (const Seen& seen : calls) seen(nullptr);
}

void Watchers::notify_all() {
    std::vector<Seen> calls;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, numbered] : watchers_)
            for (const auto& [number, seen] : numbered) calls.push_back(seen);
    }
    for (const Seen& seen : calls) seen(nullptr);
}

}  // namespace holdfast
