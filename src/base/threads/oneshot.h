// A one-time value passed between two threads. Cheaper than std::promise: at most one wake-up.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

namespace holdfast {

template <class T>
class OneShot {
public:
    // Call once.
    void give(T value) {
        {
            const std::lock_guard lock(mutex_);
            value_.emplace(std::move(value));
        }
        given_.notify_one();
    }
    bool is_ready() const {
        const std::lock_guard lock(mutex_);
        return value_.has_value();
    }
    // Blocks until the value is given. Call once.
    T take() {
        std::unique_lock lock(mutex_);
        given_.wait(lock, [this] { return value_.has_value(); });
        return *std::move(value_);
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable given_;
    std::optional<T> value_;
};

}  // namespace holdfast
