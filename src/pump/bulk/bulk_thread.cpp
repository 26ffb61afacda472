#include "pump/bulk/bulk_thread.h"

#include <algorithm>

#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast {
namespace {

// Soon after the start, when the node is busy anyway.
constexpr std::chrono::milliseconds start_pause{500};
// Between batches: the operations of others get in between.
constexpr std::chrono::milliseconds batch_pause{20};
constexpr std::chrono::seconds other_pause{1};

}  // namespace

void BulkThread::start(BulkRunner::Parts parts) {
    look_at(Steady::now() + start_pause);
    thread_ = named_thread(
        "bulk",
        [this, parts = std::move(parts)](std::stop_token stop) mutable {
            BulkRunner runner(std::move(parts));
            run(runner, stop);
        },
        Priority::background);
}

void BulkThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void BulkThread::committed(const Touched& touched) {
    const bool is_open_job =
        std::ranges::any_of(touched.instances, [](const TouchedInstance& touch) {
            return touch.instance && touch.instance->definition.key == bulk_definition &&
                   is_open(touch.instance->status);
        });
    if (is_open_job) look_soon();
}

void BulkThread::look_soon() { look_at(Steady::now() + batch_pause); }

void BulkThread::look_at(Steady::time_point then) {
    const std::lock_guard lock(mutex_);
    if (next_ && *next_ <= then) return;
    next_ = then;
    changed_.notify_one();
}

void BulkThread::run(BulkRunner& runner, std::stop_token stop) {
    Outage outage("bulk");
    while (true) {
        sleep(stop);
        if (stop.stop_requested()) return;
        {
            const std::lock_guard lock(mutex_);
            next_.reset();
        }
        const auto next = runner.run();
        if (!next) {
            look_at(Steady::now() + outage.failed(next.error()));
            continue;
        }
        outage.over();
        if (*next == BulkRunner::Next::more) look_at(Steady::now() + batch_pause);
        if (*next == BulkRunner::Next::other) look_at(Steady::now() + other_pause);
    }
}

void BulkThread::sleep(std::stop_token stop) {
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
