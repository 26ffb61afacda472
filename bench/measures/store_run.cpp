#include "measures/store_run.h"

#include "measures/raw_narrow.h"

namespace holdfast::bench {
namespace {

constexpr double least_share = 0.01;  // of the processor time: threads with less are left out

double mean(double before, double now) { return before > 0 ? (before + now) / 2 : now; }

}  // namespace

void StoreRun::measure_limit() {
    const double rate = raw_workflows_per_second(store_);
    const double commit_ms = raw_commit_ms(store_);
    add("raw limit", "workflows_per_second", rate, "1/s");
    add("raw limit", "commit_ms", commit_ms, "ms");
    for (Pending& pending : pending_) {
        if (pending.beside == Beside::narrow_rate) pending.figure.raw_limit = mean(rate_, rate);
        if (pending.beside == Beside::single_commit)
            pending.figure.raw_limit = mean(commit_ms_, commit_ms);
        samples_.add(pending.figure);
    }
    pending_.clear();
    rate_ = rate;
    commit_ms_ = commit_ms;
}

void StoreRun::add(const std::string& workload, const std::string& metric, double value,
                   const std::string& unit) {
    pending_.push_back({{workload, store_, metric, value, unit, {}}});
}

void StoreRun::add_rate(const RateOf& of, Rate rate, const Callers& load) {
    Figure figure{of.workload, store_, of.metric, rate.per_second() * of.times, "1/s", {}};
    if (of.rows_limit > 0) figure.rows_limit = of.rows_limit * of.times;
    pending_.push_back({figure, Beside::narrow_rate});
    pending_.push_back(
        {{of.workload, store_, "p50_ms", percentile(rate.latencies_ms, 0.5), "ms", {}},
         load.callers == 1 ? Beside::single_commit : Beside::nothing});
    add(of.workload, "p99_ms", percentile(rate.latencies_ms, 0.99), "ms");
    add(of.workload, "cpu_us", rate.cpu_us, "us");
    for (const auto& [thread, time] : rate.thread_us)
        if (time > rate.cpu_us * least_share) add(of.workload, "cpu_us of " + thread, time, "us");
}

}  // namespace holdfast::bench
