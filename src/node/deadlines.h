// Tells steps that their time is over. One thread, which sleeps until the next of them.
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

    // Stops the source at that time, whether anybody still listens or not.
    void at(Steady::time_point time, std::stop_source source);
    void stop();

private:
    void run(std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::multimap<Steady::time_point, std::stop_source> sources_;
    std::jthread thread_;  // begins with the first deadline
};

}  // namespace holdfast
