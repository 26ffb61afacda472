// Long work that runs on threads of several kinds takes turns, so that together they leave half of
// the processors to the rest.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/threads/threads.h"

namespace holdfast {

// Safe from any thread. Work that has its turn does not wait for other work that needs one.
class LongWork {
public:
    using Work = std::move_only_function<void()>;

    explicit LongWork(std::size_t at_once = threads_for_long_work()) : at_once_(at_once) {}

    // The same work, which waits for its turn first: in the order in which its threads came to it.
    // Outlived by this.
    Work in_turn(Work work);

private:
    void begin();
    void end();

    const std::size_t at_once_;
    std::mutex mutex_;
    std::condition_variable ended_one_;
    std::uint64_t begun_ = 0;  // or waiting
    std::uint64_t ended_ = 0;
};

}  // namespace holdfast
