// bench timers: many instances wait for timers that are due at the same moment. Measures how late
// each one is delivered, how long until all are, and the memory that takes; compared with the rate
// of the operations that armed the timers.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <condition_variable>
#include <iostream>

#include "base/log.h"
#include "pump/timers/timer_thread.h"
#include "report.h"
#include "support/world.h"

namespace holdfast::bench {
namespace {

using std::chrono::duration;
using std::chrono::microseconds;
using std::chrono::seconds;
using Steady = std::chrono::steady_clock;

struct Options {
    std::optional<std::string> json;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::size_t timers = 100'000;
};

double resident_mib() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    file >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576.0;
}

// Records how late each timer was delivered, by the store's clock.
class Lateness final : public CommitListener {
public:
    explicit Lateness(std::size_t expected) { late_.reserve(expected); }

    void committed(const Touched& touched) override {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, instance, lease] : touched.instances) {
            if (!instance || instance->status != Status::running || instance->index != 1) continue;
            late_.push_back(
                static_cast<float>(duration<double>(*instance->last_executed_at - due_).count()));
        }
        changed_.notify_all();
    }
    void expect_at(Moment due) { due_ = due; }
    std::vector<double> wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, seconds(300), [&] { return late_.size() >= count; });
        return {late_.begin(), late_.end()};
    }

private:
    Moment due_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<float> late_;
};

void arm_timers(testing::World& world, Coordinator& coordinator, std::size_t count, Moment due) {
    constexpr std::size_t batch = 2'048;
    for (std::size_t first = 0; first < count; first += batch) {
        const std::size_t size = std::min(batch, count - first);
        std::vector<op::Start> starts(size);
        for (op::Start& start : starts) start = {.cause = world.cause(), .definition = "sleepers"};
        std::vector<op::Suspend> suspends;
        for (const op::Start& start : starts)
            suspends.push_back({.cause = world.cause(),
                                .instance = start.instance(),
                                .run = {1, 0},
                                .wait = {.until = due}});
        (void)coordinator.run_all(std::move(starts));
        for (const auto& outcome : coordinator.run_all(std::move(suspends)))
            if (!outcome || !std::holds_alternative<op::Asleep>(*outcome))
                throw std::runtime_error("a timer could not be armed");
    }
}

Moment store_now(testing::World& world) { return world.store->ask(FindDueTimers{1})->now; }

void bench_timers(const std::string& kind, const Options& options, Report& report) {
    testing::World world(kind);
    world.define("sleepers");
    PumpMetrics pump_metrics(world.registry);
    TimerThread timers;
    Lateness lateness(options.timers);
    auto coordinator = *Coordinator::open(*world.store, world.ids, world.metrics,
                                          {.listeners = {&timers, &lateness}});
    timers.start(*world.store, *coordinator, world.ids, pump_metrics);

    // Far enough in the future that all timers are armed before they are due.
    const auto began = Steady::now();
    const Moment due = store_now(world) + seconds(10) + microseconds(options.timers * 400);
    lateness.expect_at(due);
    arm_timers(world, *coordinator, options.timers, due);
    const duration<double> arming = Steady::now() - began;
    const double before = resident_mib();
    std::cout << kind << ": " << options.timers << " timers armed in " << arming.count()
              << " s, due in " << duration<double>(due - store_now(world)).count() << " s"
              << std::endl;

    auto late = lateness.wait_for(options.timers);
    const double after = resident_mib();
    timers.stop();
    coordinator->shutdown();
    const std::string workload = std::to_string(options.timers) + " timers at once";
    report.add({workload, kind, "fired", static_cast<double>(late.size()), "1", {}});
    report.add({workload,
                kind,
                "early",
                static_cast<double>(std::ranges::count_if(late, [](double l) { return l < 0; })),
                "1",
                {}});
    report.add({workload, kind, "p50_late", percentile(late, 0.5), "s", {}});
    report.add({workload, kind, "p99_late", percentile(late, 0.99), "s", {}});
    report.add({workload, kind, "all_done", percentile(late, 1), "s", {}});
    // Two operations arm each timer (start and suspend), one fires it.
    report.add({workload, kind, "fired_per_second",
                static_cast<double>(late.size()) / percentile(late, 1), "1/s",
                2 * static_cast<double>(options.timers) / arming.count()});
    report.add({workload, kind, "rss_growth", after - before, "MiB", {}});
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"Timers that are due at the same moment, on both stores"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--timers", options.timers, "number of timers");
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    bench::Report report("timers", options.json);
    for (const std::string& kind : options.stores) bench::bench_timers(kind, options, report);
    return 0;
}
