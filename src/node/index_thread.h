// Builds declared indexes in the background: at the start and after a definition declares some.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "store/upkeep.h"

namespace holdfast {

class IndexThread {
public:
    ~IndexThread() { stop(); }

    void start(Upkeep& store);
    // A definition may have declared more of them. From any thread.
    void want();
    // Leaves an index that is being built to the next start.
    void stop();

private:
    void run(Upkeep& store, const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    bool wanted_ = true;
    std::jthread thread_;
};

}  // namespace holdfast
