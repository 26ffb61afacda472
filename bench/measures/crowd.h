// Keeps many workflows under way and measures what they cost.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "measures/processor_time.h"
#include "measures/rate.h"
#include "measures/thread_times.h"

namespace holdfast::bench {

using Steady = std::chrono::steady_clock;

inline double ms_since(Steady::time_point began) {
    return std::chrono::duration<double, std::milli>(Steady::now() - began).count();
}

// Measures from its construction on.
class CostOfCalls {
public:
    // The rate of the calls that took these times. `callers_seconds`: processor time of the
    // threads that made them and have ended.
    Rate of(std::vector<double> latencies_ms, double callers_seconds) const {
        Rate rate;
        rate.latencies_ms = std::move(latencies_ms);
        rate.seconds = ms_since(began_) / 1'000;
        rate.done = rate.latencies_ms.size();
        const double per_call = 1e6 / static_cast<double>(rate.done);
        const double own = own_processor_seconds() - own_;
        const double database = std::max(0.0, processor_seconds() - cpu_ - own);
        rate.cpu_us = (own + database) * per_call;
        // Ticks of a hundredth of a second: less than a few of them is nothing.
        if (database > 0.05) rate.thread_us["database"] = database * per_call;
        for (const auto& [name, seconds] : thread_seconds())
            rate.thread_us[name] =
                (seconds - (threads_.contains(name) ? threads_.at(name) : 0)) * per_call;
        rate.thread_us["callers"] = callers_seconds * per_call;
        return rate;
    }

private:
    double cpu_ = processor_seconds();
    double own_ = own_processor_seconds();
    std::map<std::string, double> threads_ = thread_seconds();
    Steady::time_point began_ = Steady::now();
};

// Each caller is a thread that runs `work` for one workflow after the other until all are done.
// Rethrows an exception of a caller.
inline Rate run_callers(const Callers& load, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr error;
    std::vector<double> latencies;
    double callers_seconds = 0;
    const CostOfCalls cost;
    const auto call_on = [&] {
        std::vector<double> mine;
        try {
            for (std::size_t i = next++; i < load.workflows; i = next++) {
                const auto start = Steady::now();
                work(i);
                mine.push_back(ms_since(start));
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            error = std::current_exception();
            next = load.workflows;
        }
        const std::lock_guard lock(mutex);
        callers_seconds += own_thread_seconds();
        latencies.insert(latencies.end(), mine.begin(), mine.end());
    };
    {
        std::vector<std::jthread> callers;
        for (std::size_t n = 0; n < load.callers; ++n) callers.emplace_back(call_on);
    }
    if (error) std::rethrow_exception(error);
    return cost.of(std::move(latencies), callers_seconds);
}

// Called once a workflow has ended.
using Ended = std::function<void()>;

// Keeps `load.callers` workflows under way without a thread for each: `begin` starts the n-th one
// and has `ended` called at its end, which starts the next. Rethrows what `begin` and `ended`
// throw.
class Outstanding {
public:
    using Begin = std::function<void(std::size_t n, Ended ended)>;

    Outstanding(const Callers& load, Begin begin) : load_(load), begin_(std::move(begin)) {}

    Rate run() {
        const CostOfCalls cost;
        latencies_.reserve(load_.workflows);
        for (std::size_t n = 0; n < std::min(load_.callers, load_.workflows); ++n) begin_next();
        std::unique_lock lock(mutex_);
        all_ended_.wait(lock, [this] { return error_ || latencies_.size() == load_.workflows; });
        if (error_) std::rethrow_exception(error_);
        return cost.of(std::move(latencies_), 0);
    }

    void fail(std::exception_ptr error) {
        const std::lock_guard lock(mutex_);
        error_ = std::move(error);
        all_ended_.notify_all();
    }

private:
    void begin_next() {
        const std::size_t n = next_++;
        if (n >= load_.workflows) return;
        const auto start = Steady::now();
        try {
            begin_(n, [this, start] { end(ms_since(start)); });
        } catch (...) {
            fail(std::current_exception());
        }
    }
    // The last thing that touches this object is the lock: it is gone once all have ended.
    void end(double ms) {
        begin_next();
        const std::lock_guard lock(mutex_);
        latencies_.push_back(ms);
        if (latencies_.size() == load_.workflows) all_ended_.notify_all();
    }

    const Callers load_;
    const Begin begin_;
    std::atomic<std::size_t> next_{0};
    std::mutex mutex_;
    std::condition_variable all_ended_;
    std::vector<double> latencies_;
    std::exception_ptr error_;
};

// What `check` throws fails the run: callbacks must not throw.
template <class Check>
void guard(Outstanding& outstanding, const Check& check) {
    try {
        check();
    } catch (...) {
        outstanding.fail(std::current_exception());
    }
}

}  // namespace holdfast::bench
