#include "pump/retention/retention_thread.h"

#include <algorithm>

#include "base/log.h"
#include "base/threads/threads.h"

namespace holdfast {
namespace {

// Soon after the start, when the node is busy anyway: an idle node runs no statement.
constexpr std::chrono::seconds first_pause{2};
constexpr std::chrono::minutes usual_pause{10};
constexpr std::chrono::seconds short_pause{1};  // more is left than one run does

}  // namespace

void RetentionThread::start(Pruner& retention) {
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
    if (!std::exchange(changes_pending_, true)) changed_.notify_one();
}

void RetentionThread::run(Pruner& retention, std::stop_token stop) {
    bool failing = false;
    sleep({.next = Steady::now() + first_pause, .busy = first_pause}, stop);
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

RetentionThread::Plan RetentionThread::plan(const Result<RetentionReport>& report,
                                            const Pruner& retention) {
    const auto now = Steady::now();
    Plan plan{.next = now + usual_pause, .busy = usual_pause};
    if (!report || report->refused) return plan;
    const bool progressed = report->rows > 0 || report->cancelled > 0;
    if (report->more && progressed) plan.next = now + short_pause;
    if (report->more || report->eligible > 0) return plan;

    plan = {.next = {}, .busy = std::chrono::hours(1)};
    const std::lock_guard lock(mutex_);
    // What was written last passes its window this much later; a busy node runs up to 24 times
    // before.
    const auto expect = [&](std::chrono::microseconds window,
                            const std::optional<Steady::time_point>& written) {
        if (window.count() == 0) return;
        const Steady::duration interval =
            std::max<Steady::duration>(usual_pause, Steady::duration(window) / 24);
        plan.busy = std::min(plan.busy, interval);
        if (!written || *written + window + interval <= now) return;
        const auto then = std::max(now + usual_pause, *written + window + usual_pause);
        plan.next = std::min(plan.next.value_or(then), then);
    };
    const RetentionSettings& settings = retention.settings();
    expect(settings.keep_records, last_touched_);
    expect(settings.stale_after, last_touched_);
    expect(settings.keep_history, last_touched_);
    expect(retention.shortest_window().value_or(std::chrono::microseconds(0)), last_ended_);
    return plan;
}

void RetentionThread::sleep(const Plan& plan, std::stop_token stop) {
    std::unique_lock lock(mutex_);
    const auto is_pending = [this] { return changes_pending_; };
    if (plan.next)
        changed_.wait_until(lock, stop, *plan.next, is_pending);
    else
        changed_.wait(lock, stop, is_pending);
    if (!changes_pending_) return;
    auto until = Steady::now() + plan.busy;
    if (plan.next) until = std::min(until, *plan.next);
    changed_.wait_until(lock, stop, until, [] { return false; });
}

}  // namespace holdfast
