// Runs many callers concurrently and measures the cost of their calls.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include "processor_time.h"
#include "thread_times.h"
#include "workloads.h"

namespace holdfast::bench {

// Each caller runs `work` for one workflow after the other until all are done; records how long
// each took. Rethrows an exception of a caller.
inline Rate run_callers(const Callers& load, const std::function<void(std::size_t)>& work) {
    using Steady = std::chrono::steady_clock;
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr error;
    Rate rate;
    const double cpu = processor_seconds();
    const auto threads = thread_seconds();
    double callers_seconds = 0;
    const auto began = Steady::now();
    const auto call_on = [&] {
        std::vector<double> mine;
        try {
            for (std::size_t i = next++; i < load.workflows; i = next++) {
                const auto start = Steady::now();
                work(i);
                mine.push_back(
                    std::chrono::duration<double, std::milli>(Steady::now() - start).count());
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            error = std::current_exception();
            next = load.workflows;
        }
        const std::lock_guard lock(mutex);
        callers_seconds += own_thread_seconds();
        rate.latencies_ms.insert(rate.latencies_ms.end(), mine.begin(), mine.end());
    };
    {
        std::vector<std::jthread> callers;
        for (std::size_t n = 0; n < load.callers; ++n) callers.emplace_back(call_on);
    }
    if (error) std::rethrow_exception(error);
    rate.seconds = std::chrono::duration<double>(Steady::now() - began).count();
    rate.done = rate.latencies_ms.size();
    const double per_call = 1e6 / static_cast<double>(rate.done);
    rate.cpu_us = (processor_seconds() - cpu) * per_call;
    for (const auto& [name, seconds] : thread_seconds())
        rate.thread_us[name] =
            (seconds - (threads.contains(name) ? threads.at(name) : 0)) * per_call;
    rate.thread_us["callers"] = callers_seconds * per_call;
    return rate;
}

}  // namespace holdfast::bench
