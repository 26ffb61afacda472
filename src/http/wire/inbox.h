// Passes items from any thread to one thread, which takes them all at once, so that a burst costs
// one wake-up.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace holdfast::http {

// Bounded by its users: a connection has a response in it for each request that it began.
template <class Item>
class Inbox {
public:
    enum class Put { first, behind_others, closed };

    // `first`: the caller must wake the owner. `closed`: the item was dropped.
    Put put(Item item) {
        const std::lock_guard lock(mutex_);
        if (!open_) return Put::closed;
        items_.push_back(std::move(item));
        return items_.size() == 1 ? Put::first : Put::behind_others;
    }

    std::vector<Item> take_all() {
        const std::lock_guard lock(mutex_);
        return std::exchange(items_, {});
    }

    // Drops the remaining items and all later ones.
    void close() {
        std::vector<Item> dropped;  // destroyed after the lock: a destructor may run any code
        const std::lock_guard lock(mutex_);
        open_ = false;
        dropped.swap(items_);
    }

private:
    std::mutex mutex_;
    bool open_ = true;
    std::vector<Item> items_;
};

}  // namespace holdfast::http
