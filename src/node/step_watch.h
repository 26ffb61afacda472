// Ends the lease of workflows whose step does not return, and of jobs whose worker does not: they
// go on elsewhere, while what hangs keeps its thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace holdfast {

class StepWatch {
public:
    StepWatch() = default;
    ~StepWatch() { stop(); }
    StepWatch(const StepWatch&) = delete;
    StepWatch& operator=(const StepWatch&) = delete;

    using GiveUp = std::function<void(std::chrono::microseconds limit)>;

    // Calls it four times within the limit.
    void start(const GiveUp& give_up, std::chrono::microseconds limit);
    void stop();

private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace holdfast
