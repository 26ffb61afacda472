// Many callers at once, and what their calls cost.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "processor_time.h"
#include "workloads.h"

namespace holdfast::bench {

// Lets each caller do one after the other until all are done, and notes how long each took. What
// one of them throws is thrown.
inline Rate crowd_of(const Crowd& crowd, const std::function<void(std::size_t)>& work) {
    using Steady = std::chrono::steady_clock;
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr error;
    Rate rate;
    const double cpu = processor_seconds();
    const auto began = Steady::now();
    const auto call_on = [&] {
        std::vector<double> mine;
        try {
            for (std::size_t i = next++; i < crowd.workflows; i = next++) {
                const auto start = Steady::now();
                work(i);
                mine.push_back(
                    std::chrono::duration<double, std::milli>(Steady::now() - start).count());
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            error = std::current_exception();
            next = crowd.workflows;
        }
        const std::lock_guard lock(mutex);
        rate.latencies_ms.insert(rate.latencies_ms.end(), mine.begin(), mine.end());
    };
    {
        std::vector<std::jthread> callers;
        for (std::size_t n = 0; n < crowd.callers; ++n) callers.emplace_back(call_on);
    }
    if (error) std::rethrow_exception(error);
    rate.seconds = std::chrono::duration<double>(Steady::now() - began).count();
    rate.done = rate.latencies_ms.size();
    rate.cpu_us = (processor_seconds() - cpu) * 1e6 / static_cast<double>(rate.done);
    return rate;
}

}  // namespace holdfast::bench
