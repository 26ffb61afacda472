// Things handed from any thread to one: they are taken all at once, so that a burst costs one
// wake-up.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

namespace holdfast::http {

// Its users bound it: a connection has at most one answer in it.
template <class Item>
class Inbox {
public:
    enum class Put { first, behind_others, closed };

    // `first`: the owner must be told. `closed`: the item is gone.
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

    // What is left, and all that comes later, is gone.
    void close() {
        std::vector<Item> dropped;  // outlives the lock: an item may do anything when it goes
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
