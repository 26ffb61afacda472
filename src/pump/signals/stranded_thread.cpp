#include "pump/signals/stranded_thread.h"

#include <algorithm>

#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast {
namespace {

constexpr std::chrono::seconds longest_look_pause{1};

}  // namespace

void StrandedThread::start(StrandedSearch::Parts parts, std::chrono::microseconds after) {
    {
        const std::lock_guard lock(mutex_);
        after_ = after;
        next_ = Steady::now();
    }
    thread_ = named_thread("stranded",
                           [this, parts = std::move(parts), after](std::stop_token stop) mutable {
                               StrandedSearch search(std::move(parts), after);
                               run(search, stop);
                           });
}

void StrandedThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void StrandedThread::committed(const Touched& touched) {
    if (touched.free_signals) look_soon();
}

void StrandedThread::look_soon() {
    const std::lock_guard lock(mutex_);
    // Soon, so that what has become idle stays idle.
    const auto soon = looked_at_ + std::min<std::chrono::microseconds>(after_, longest_look_pause);
    if (next_ && *next_ <= soon) return;
    next_ = soon;
    changed_.notify_one();
}

void StrandedThread::run(StrandedSearch& search, std::stop_token stop) {
    Outage outage("stranded");
    while (true) {
        sleep(stop);
        if (stop.stop_requested()) return;
        {
            const std::lock_guard lock(mutex_);
            looked_at_ = Steady::now();
            next_.reset();
        }
        const auto again = search.look();
        std::optional<std::chrono::microseconds> pause;
        if (again) {
            outage.over();
            pause = *again;
        } else {
            pause = outage.failed(again.error());
        }
        const std::lock_guard lock(mutex_);
        if (!pause) continue;
        const auto planned = Steady::now() + *pause;
        next_ = next_ ? std::min(*next_, planned) : planned;
    }
}

void StrandedThread::sleep(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    for (;;) {
        if (stop.stop_requested() || (next_ && *next_ <= Steady::now())) return;
        const auto planned = next_;
        const auto changed = [&] { return next_ != planned; };
        if (planned)
            changed_.wait_until(lock, stop, *planned, changed);
        else
            changed_.wait(lock, stop, changed);
    }
}

}  // namespace holdfast
