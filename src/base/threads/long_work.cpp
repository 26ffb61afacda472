#include "base/threads/long_work.h"

#include <utility>

namespace holdfast {

LongWork::Work LongWork::in_turn(Work work) {
    return [this, work = std::move(work)]() mutable {
        begin();
        std::exchange(work, {})();
        end();
    };
}

void LongWork::begin() {
    std::unique_lock lock(mutex_);
    const std::uint64_t number = begun_++;
    ended_one_.wait(lock, [&] { return number < ended_ + at_once_; });
}

void LongWork::end() {
    {
        const std::lock_guard lock(mutex_);
        ++ended_;
    }
    ended_one_.notify_all();
}

}  // namespace holdfast
