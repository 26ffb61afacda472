// Requests the stop of steps at their timeouts. One thread, which sleeps until the next deadline.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>

namespace holdfast {

class Deadlines {
public:
    using Steady = std::chrono::steady_clock;

    Deadlines() = default;
    ~Deadlines() { stop(); }
    Deadlines(const Deadlines&) = delete;
    Deadlines& operator=(const Deadlines&) = delete;

    // Requests the stop at that time, even if the step has already ended.
    void at(Steady::time_point time, std::stop_source source);
    void stop();

private:
    void run(std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::multimap<Steady::time_point, std::stop_source> sources_;
    std::jthread thread_;  // started with the first deadline
};

}  // namespace holdfast
