// Detects that the machine's clock was set or that the machine slept: threads that sleep until a
// moment must check it again. Runs no statement.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/time/clock.h"

namespace holdfast {

class ClockThread {
public:
    void start(const Clock& clock, std::function<void()> jumped);
    void stop();

private:
    void run(const Clock& clock, const std::function<void()>& jumped, std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any never_;
    std::jthread thread_;
};

}  // namespace holdfast
