#include "pump/retention/retention_thread.h"

#include <algorithm>

#include "base/log.h"
#include "base/threads/threads.h"

namespace holdfast {
namespace {

// Soon after the start, when the node is busy anyway: an idle node runs no statement.
constexpr std::chrono::seconds first_pause{2};
constexpr std::chrono::minutes usual_pause{10};

}  // namespace

void RetentionThread::start(Pruner& retention) {
    {
        const std::lock_guard lock(mutex_);
        all_touches_ = retention.settings().stale_after.count() > 0;
    }
    thread_ = named_thread("retention",
                           [&, this](std::stop_token stop) { run(retention, std::move(stop)); });
}

void RetentionThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void RetentionThread::committed(const Touched& touched) {
    const bool ends = std::ranges::any_of(touched.instances, [](const TouchedInstance& touch) {
        return touch.instance && !is_open(touch.instance->status);
    });
    const std::lock_guard lock(mutex_);
    last_touched_ = Steady::now();
    if (ends) last_ended_ = last_touched_;
    if (!ends && !all_touches_) return;
    if (!std::exchange(changes_pending_, true)) changed_.notify_one();
}

void RetentionThread::run(Pruner& retention, std::stop_token stop) {
    bool failing = false;
    sleep(Steady::now() + first_pause, stop);
    while (!stop.stop_requested()) {
        {
            const std::lock_guard lock(mutex_);
            changes_pending_ = false;
        }
        const auto report = retention.run(RunKind::real);
        if (!report && !failing)
            log::warn("retention.failed", {{"message", report.error().message}});
        failing = !report;
        sleep(plan(report, retention), stop);
    }
}

std::optional<RetentionThread::Steady::time_point> RetentionThread::plan(
    const Result<RetentionReport>& report, const Pruner& retention) {
    const auto now = Steady::now();
    if (!report || report->refused || report->eligible > 0) return now + usual_pause;
    const std::lock_guard lock(mutex_);
    std::optional<Steady::time_point> next;
    // Ended instances pass their window later: run then, and up to 24 times before.
    if (const auto window = retention.shortest_window(); window && last_ended_) {
        const auto interval = std::max<std::chrono::microseconds>(usual_pause, *window / 24);
        if (*last_ended_ + *window + interval > now) next = now + interval;
    }
    // The instance touched last becomes stale this much later.
    if (const auto stale = retention.settings().stale_after; stale.count() > 0 && last_touched_) {
        const auto then = *last_touched_ + stale + usual_pause;
        if (then > now) next = std::min(next.value_or(then), then);
    }
    return next;
}

void RetentionThread::sleep(std::optional<Steady::time_point> until, std::stop_token stop) {
    std::unique_lock lock(mutex_);
    if (!until) {
        changed_.wait(lock, stop, [this] { return changes_pending_; });
        until = Steady::now() + usual_pause;
    }
    changed_.wait_until(lock, stop, *until, [] { return false; });
}

}  // namespace holdfast
