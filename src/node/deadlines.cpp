#include "node/deadlines.h"

#include "base/threads/threads.h"

namespace holdfast {

void Deadlines::at(Steady::time_point time, std::stop_source source) {
    const std::lock_guard lock(mutex_);
    sources_.emplace(time, std::move(source));
    if (!thread_.joinable())
        thread_ = named_thread("deadlines", [this](std::stop_token stop) { run(stop); });
    changed_.notify_one();
}

void Deadlines::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void Deadlines::run(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (sources_.empty()) {
            changed_.wait(lock, stop, [this] { return !sources_.empty(); });
            continue;
        }
        const auto next = sources_.begin();
        if (next->first > Steady::now()) {
            const auto until = next->first;
            changed_.wait_until(lock, stop, until, [&] {
                return !sources_.empty() && sources_.begin()->first < until;
            });
            continue;
        }
        std::stop_source due = std::move(next->second);
        sources_.erase(next);
        lock.unlock();
        due.request_stop();
        lock.lock();
    }
}

}  // namespace holdfast
