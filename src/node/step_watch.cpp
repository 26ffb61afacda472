#include "node/step_watch.h"

#include <algorithm>

#include "base/threads/threads.h"

namespace holdfast {

void StepWatch::start(const GiveUp& give_up, std::chrono::microseconds limit) {
    const auto interval =
        std::max<std::chrono::microseconds>(limit / 4, std::chrono::milliseconds(1));
    thread_ = named_thread("step-watch", [this, give_up, limit, interval](std::stop_token stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            wake_.wait_for(lock, stop, interval, [] { return false; });
            if (!stop.stop_requested()) give_up(limit);
        }
    });
}

void StepWatch::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

}  // namespace holdfast
