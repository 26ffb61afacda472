// bench flows: the workloads W1 to W5 on a node in this process, on both stores; W1 and W3 over
// HTTP too. Several runs, interleaved; each measures the limits of the store beside the rates.
#include "growth.h"
#include "http_client.h"
#include "measures/interleaved.h"
#include "store_limits.h"
#include "support/world.h"
#include "suspended.h"
#include "workloads.h"

namespace holdfast::bench {
namespace {

struct Options : RunOptions {
    std::vector<std::string> workloads = {"W1", "W2", "W3", "W4", "W5", "HTTP"};
    std::size_t workflows = 20'000;
    std::vector<std::size_t> timers = {10'000, 100'000};
    std::size_t suspended = 10'000;
    std::vector<std::size_t> grown = {10'000, 100'000, 1'000'000};
    std::vector<std::size_t> queued = {0, 1'000, 10'000};
};

// One of the interleaved runs, on an empty store.
class Run {
public:
    Run(StoreRun& run, const Options& options)
        : run_(run), options_(options), place_(run.store()) {}

    void all() {
        measure_rows();
        if (wants("W5")) suspended();
        Node node({.store = place_.url(), .name = "bench", .event_queue = 100'000});
        add_flows(node);
        add_growth_flows(node);
        run_.measure_limit();
        measure("W1", [&] { steps(node, "W1", "workflows_per_second", 1); });
        measure("W2", [&] { steps(node, "W2", "steps_per_second", 10); });
        measure("W3", [&] {
            each("W3", "events_per_second", 1,
                 [&](const Callers& load) { return run_events(node, load); });
        });
        measure("HTTP", [&] { over_http(node); });
        measure("W4", [&] {
            for (const std::size_t count : options_.timers) timers(node, count);
        });
        measure("growth", [&] { growth(node); });
    }

private:
    bool wants(const std::string& workload) const {
        return std::ranges::find(options_.workloads, workload) != options_.workloads.end();
    }
    std::size_t count_for(std::size_t callers, std::size_t work) const {
        return std::max<std::size_t>(callers == 1 ? 500 : options_.workflows / work, callers);
    }

    // Between two measurements of the raw limit.
    template <class Work>
    void measure(const std::string& workload, Work work) {
        if (!wants(workload)) return;
        work();
        run_.measure_limit();
    }

    void measure_rows() {
        std::vector<std::string> recorded;
        if (wants("W1") || wants("HTTP")) recorded.emplace_back("W1");
        if (wants("W2")) recorded.emplace_back("W2");
        if (wants("W3") || wants("HTTP")) recorded.emplace_back("W3");
        for (const std::string& workload : recorded) {
            const RowsLimit limit = measure_rows_limit(
                run_.store(), workload, std::max<std::size_t>(256, options_.workflows / 4));
            run_.add(workload, "statements", limit.statements, "1");
            run_.add(workload, "in_a_transaction", limit.in_a_transaction, "1");
            rows_limits_[workload] = limit.per_second;
        }
    }

    template <class Work>
    void each(const std::string& workload, const std::string& metric, std::size_t work, Work run) {
        for (const std::size_t callers : options_.callers) {
            const Callers load{callers, count_for(callers, work)};
            run_.add_rate({.workload = workload + ", " + std::to_string(callers) + " at a time",
                           .metric = metric,
                           .times = static_cast<double>(work),
                           .rows_limit = rows_limits_[workload.substr(0, 2)]},
                          run(load), load);
        }
        run_.add(workload, "rss_mb", resident_mb(), "MB");
    }

    void steps(Node& node, const std::string& workload, const std::string& metric, int count) {
        each(workload, metric, static_cast<std::size_t>(count),
             [&](const Callers& load) { return run_steps(node, load, count); });
    }

    void over_http(Node& node) {
        const std::string url = node.serve("127.0.0.1:0");
        each("W1 over HTTP", "workflows_per_second", 1,
             [&](const Callers& load) { return run_steps_over_http(url, load, 1); });
        each("W3 over HTTP", "events_per_second", 1,
             [&](const Callers& load) { return run_events_over_http(url, load); });
    }

    void timers(Node& node, std::size_t count) {
        TimersRun timers = run_timers(node, count);
        const std::string name = "W4, " + std::to_string(count) + " timers";
        const double fired = static_cast<double>(count) / timers.all_done_s;
        run_.add(name, "early",
                 static_cast<double>(
                     std::ranges::count_if(timers.late_s, [](double late) { return late < 0; })),
                 "1");
        run_.add(name, "late_p99_ms", percentile(timers.late_s, 0.99) * 1'000, "ms");
        run_.add(name, "all_done_s", timers.all_done_s, "s");
        run_.add(name, "armed_per_second", timers.armed_per_second, "1/s");
        run_.add(name, "fired_per_second", fired, "1/s");
        run_.add(name, "fired_to_armed", fired / timers.armed_per_second, "1");
    }

    void growth(Node& node) {
        for (const std::size_t count : options_.queued)
            add_cost("events beside " + std::to_string(count) + " queued",
                     beside_events(node, count));
        std::size_t there = 0;
        for (const std::size_t count : options_.grown)
            add_cost("W1 beside " + std::to_string(count), beside_workflows(node, count, there));
    }

    void add_cost(const std::string& workload, const Rate& rate) {
        run_.add(workload, "per_second", rate.per_second(), "1/s");
        run_.add(workload, "cpu_us", rate.cpu_us, "us");
        run_.add(workload, "cpu_us of round", rate.us_of("round-"), "us");
    }

    void suspended() {
        const holdfast::testing::StorePlace place(run_.store());
        const Suspended figures = suspend_and_kill(place.url(), options_.suspended);
        const std::string name = "W5, " + std::to_string(options_.suspended) + " suspended";
        run_.add(name, "rss_mb", figures.rss_mb, "MB");
        run_.add(name, "rss_growth_mb", figures.rss_growth_mb, "MB");
        run_.add(name, "idle_cpu_us", figures.idle_cpu_us, "us/s");
        run_.add(name, "restart_s", figures.serving_s, "s");
        run_.add(name, "restart_to_one_awake_s", figures.awake_s, "s");
    }

    StoreRun& run_;
    const Options& options_;
    const holdfast::testing::StorePlace place_;
    std::map<std::string, double> rows_limits_;  // by workload
};

std::vector<PeerWorkload> peer_workloads() {
    return {{"W1", "wfPerS", "W1,", "workflows_per_second"},
            {"W2", "stepsPerS", "W2,", "steps_per_second"},
            {"W3", "eventsPerS", "W3,", "events_per_second"}};
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    std::string suspend_on;
    CLI::App app{"Workflows written as coroutines, in process and over HTTP"};
    bench::add_options(app, options);
    app.add_option("--workloads", options.workloads, "some of W1,W2,W3,W4,W5,HTTP; growth")
        ->delimiter(',');
    app.add_option("--workflows", options.workflows, "workflows per figure");
    app.add_option("--timers", options.timers, "timers of W4")->delimiter(',');
    app.add_option("--suspended", options.suspended, "suspended workflows of W5");
    app.add_option("--grown", options.grown, "growth: workflows in the store")->delimiter(',');
    app.add_option("--queued", options.queued, "growth: events in a queue")->delimiter(',');
    app.add_option("--suspend-on", suspend_on, "")->group("");  // the process that W5 kills
    CLI11_PARSE(app, argc, argv);
    if (!suspend_on.empty()) return bench::suspend_here(suspend_on, options.suspended);
    return bench::run_interleaved("flows", options, bench::peer_workloads(),
                                  [&](bench::StoreRun& run) { bench::Run(run, options).all(); });
}
