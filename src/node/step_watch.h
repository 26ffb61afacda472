// Ends the lease of workflows whose step does not return: they go on elsewhere, while the step
// keeps its thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "node/runner.h"

namespace holdfast {

class StepWatch {
public:
    StepWatch() = default;
    ~StepWatch() { stop(); }
    StepWatch(const StepWatch&) = delete;
    StepWatch& operator=(const StepWatch&) = delete;

    // Looks four times within the limit. `runner` outlives the watch.
    void start(Runner& runner, std::chrono::microseconds limit);
    void stop();

private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace holdfast
