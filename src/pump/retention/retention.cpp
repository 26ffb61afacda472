#include "pump/retention/retention.h"

#include "base/log.h"

namespace holdfast {
namespace {

constexpr const char* lock_name = "retention";
constexpr std::chrono::microseconds lock_time = std::chrono::minutes(1);
constexpr std::chrono::milliseconds pause_between_batches{50};
constexpr std::size_t most_batches = 20;
constexpr std::size_t most_pages = 500;
// Practically for ever, and still a duration that every store can subtract.
constexpr std::chrono::microseconds for_ever = std::chrono::days(73'000);

}  // namespace

class Pruner::Run {
public:
    Run(Pruner& pruner, Moment now) : pruner_(pruner) {
        const std::lock_guard lock(pruner_.mutex_);
        other_since_ = pruner_.running_since_;
        if (!other_since_) pruner_.running_since_ = now;
    }
    ~Run() {
        if (other_since_) return;
        const std::lock_guard lock(pruner_.mutex_);
        pruner_.running_since_.reset();
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // Absent: this is the only one.
    std::optional<Moment> other_since() const { return other_since_; }

private:
    Pruner& pruner_;
    std::optional<Moment> other_since_;
};

Result<RetentionReport> Pruner::run(RunKind kind, ClockTrust trust) {
    RetentionReport report{.kind = kind};
    HF_TRY(report.at, parts_.store.ask(FindTime{}));
    const Run run(*this, report.at);
    if (const auto since = run.other_since()) {
        report.refused = "retention has been running on this node since " + to_iso8601(*since) +
                         "; try again when it has ended";
        report.running = RunningRetention{.node = parts_.node, .since = since, .until = {}};
        return report;
    }
    HF_CHECK(run_alone(report, trust));
    return report;
}

Result<void> Pruner::run_alone(RetentionReport& report, ClockTrust trust) {
    const RunKind kind = report.kind;
    HF_TRY(auto windows, windows());
    windows.prune.dry_run = kind == RunKind::dry;
    HF_TRY(const bool may, may_run(report, trust, windows.prune));
    if (!may) return {};
    HF_CHECK(delete_ended(report, windows.prune, trust));
    if (settings_.keep_history.count() > 0 && !report.refused)
        HF_CHECK(trim_histories(report, windows.prune, trust));
    if (windows.cancels && !report.refused) HF_CHECK(cancel_stale(report, windows, trust));
    if (kind == RunKind::real)
        parts_.metrics.retention_eligible.Set(static_cast<double>(report.eligible));
    if (kind == RunKind::real && (report.rows > 0 || report.cancelled > 0))
        log::info("retention.done", {{"instances", report.instances},
                                     {"rows", report.rows},
                                     {"cancelled", report.cancelled},
                                     {"left", report.eligible}});
    return {};
}

Result<void> Pruner::refuse_for_other_node(RetentionReport& report) {
    RunningRetention other;
    HF_TRY(const auto locks, parts_.store.ask(ListHostLocks{}));
    for (const HostLock& lock : locks)
        if (lock.name == lock_name) other = {.node = lock.owner, .since = {}, .until = lock.until};
    report.refused = "another node is running retention; try again in a minute";
    report.running = std::move(other);
    return {};
}

std::optional<std::chrono::microseconds> Pruner::shortest_window() const {
    const std::lock_guard lock(mutex_);
    return shortest_;
}

Result<Pruner::Windows> Pruner::windows() {
    const std::chrono::microseconds none{0};
    Windows windows;
    std::optional<std::chrono::microseconds> shortest;
    const auto keep = [&](std::chrono::microseconds time) {
        if (time == none) return for_ever;
        shortest = std::min(shortest.value_or(time), time);
        return time;
    };
    windows.prune.keep_for = keep(settings_.keep_ended);
    windows.prune.keep_records = std::max(settings_.keep_records, settings_.keep_ended);
    const auto cleared = settings_.keep_cleared.value_or(settings_.keep_ended);
    if (cleared > none) windows.prune.keep_cleared = cleared;
    if (settings_.keep_conflicts > none) windows.prune.keep_conflicts = settings_.keep_conflicts;
    windows.cancels = settings_.stale_after > none;
    HF_TRY(const auto retentions, parts_.store.ask(ListRetentions{}));
    for (const auto& [key, retention] : retentions) {
        if (retention.keep_for)
            windows.prune.keep_for_by_definition[key] = keep(*retention.keep_for);
        if (!retention.stale_after) continue;
        windows.stale[key] = *retention.stale_after;
        windows.cancels = windows.cancels || *retention.stale_after > none;
    }
    const std::lock_guard lock(mutex_);
    shortest_ = shortest;
    return windows;
}

Result<bool> Pruner::may_run(RetentionReport& report, ClockTrust trust, Prune& prune) {
    HF_TRY(report.at, parts_.store.ask(FindTime{}));
    HF_TRY(const auto mark, parts_.store.ask(FindMark{lock_name}));
    const auto refusal_reason = clock_.refusal_reason(report.at, mark);
    if (refusal_reason && trust == ClockTrust::check) {
        if (report.kind == RunKind::real) parts_.metrics.retention_refused.Increment();
        log::error("retention.refused", {{"reason", *refusal_reason}});
        report.refused = refusal_reason;
        return false;
    }
    if (report.kind == RunKind::dry) return true;
    HF_TRY(auto held, parts_.store.lock_host(lock_name, parts_.node, lock_time));
    if (!held) {
        HF_CHECK(refuse_for_other_node(report));
        return false;
    }
    prune.lock = *std::move(held);
    clock_.accept(report.at);
    HF_CHECK(parts_.store.set_mark(lock_name, report.at));
    return true;
}

Result<void> Pruner::delete_ended(RetentionReport& report, Prune prune, ClockTrust trust) {
    for (std::size_t batch = 0; batch < most_batches; ++batch) {
        // The clock may jump between two batches as well.
        if (batch > 0) {
            if (parts_.pause) parts_.pause(pause_between_batches);
            HF_TRY(const bool may, may_run(report, trust, prune));
            if (!may) return {};
        }
        HF_TRY(const auto pruned, parts_.store.prune(prune));
        report.instances += pruned.instances;
        report.rows += pruned.rows;
        report.eligible = pruned.eligible;
        if (prune.dry_run)
            prune.skip += pruned.instances;
        else
            parts_.metrics.retention_deleted.Increment(static_cast<double>(pruned.instances));
        if (!pruned.lock_held && !prune.dry_run) return {};
        report.more =
            (pruned.instances > 0 && pruned.eligible > 0) || (pruned.more && !prune.dry_run);
        if (!report.more) return {};
    }
    return {};
}

// Each page is a transaction; an instance with a long history loses a part of it a run.
Result<void> Pruner::trim_histories(RetentionReport& report, Prune prune, ClockTrust trust) {
    std::string until = trimmed_until_;
    for (std::size_t page = 0; page < most_pages; ++page) {
        HF_TRY(const bool may, may_run(report, trust, prune));
        if (!may) return {};
        HF_TRY(const auto trimmed, parts_.store.trim_histories({.keep_for = settings_.keep_history,
                                                                .after = until,
                                                                .dry_run = prune.dry_run,
                                                                .lock = prune.lock}));
        if (!trimmed.lock_held && !prune.dry_run) return {};
        report.rows += trimmed.rows;
        report.more = report.more || trimmed.more;
        until = trimmed.next;
        if (!prune.dry_run) trimmed_until_ = until;
        if (trimmed.next.empty()) return {};
        if (trimmed.rows > 0 && parts_.pause) parts_.pause(pause_between_batches);
    }
    report.more = true;
    return {};
}

}  // namespace holdfast
