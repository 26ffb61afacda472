// bench flows: the workloads W1 to W5 on a node in this process, on both stores; W1 and W3 over
// HTTP too. Several runs, interleaved; each measures the limits of the store beside the rates.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/log.h"
#include "growth.h"
#include "http_client.h"
#include "measures/peers.h"
#include "measures/samples.h"
#include "store_limits.h"
#include "support/world.h"
#include "suspended.h"
#include "workloads.h"

namespace holdfast::bench {
namespace {

struct Options {
    std::optional<std::string> json;
    std::optional<std::string> peers;
    std::optional<std::string> compare;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::vector<std::string> workloads = {"W1", "W2", "W3", "W4", "W5", "HTTP"};
    std::vector<std::size_t> callers = {1, 64, 256};
    std::size_t runs = 3;
    std::size_t workflows = 20'000;
    std::size_t timers = 10'000;
    std::size_t suspended = 10'000;
    std::vector<std::size_t> grown = {10'000, 100'000, 1'000'000};
    std::vector<std::size_t> queued = {0, 1'000, 10'000};
};

// One of the interleaved runs, on an empty store.
class Run {
public:
    Run(const std::string& kind, const Options& options, Samples& samples)
        : kind_(kind), options_(options), samples_(samples), place_(kind) {}

    void all() {
        measure_limits();
        if (wants("W5")) suspended();
        Node node({.store = place_.url(), .name = "bench", .event_queue = 100'000});
        add_flows(node);
        add_growth_flows(node);
        if (wants("W1"))
            each("W1", "workflows_per_second", 1,
                 [&](const Callers& load) { return run_steps(node, load, 1); });
        if (wants("W2"))
            each("W2", "steps_per_second", 10,
                 [&](const Callers& load) { return run_steps(node, load, 10); });
        if (wants("W3"))
            each("W3", "events_per_second", 1,
                 [&](const Callers& load) { return run_events(node, load); });
        if (wants("HTTP")) over_http(node);
        if (wants("W4")) timers(node);
        if (wants("growth")) growth(node);
    }

private:
    bool wants(const std::string& workload) const {
        return std::ranges::find(options_.workloads, workload) != options_.workloads.end();
    }
    std::size_t count_for(std::size_t callers, std::size_t work) const {
        return std::max<std::size_t>(callers == 1 ? 500 : options_.workflows / work, callers);
    }

    void measure_limits() {
        std::vector<std::string> recorded;
        if (wants("W1") || wants("HTTP")) recorded.emplace_back("W1");
        if (wants("W2")) recorded.emplace_back("W2");
        if (wants("W3") || wants("HTTP")) recorded.emplace_back("W3");
        if (recorded.empty()) return;
        limits_ = bench::measure_limits(kind_, recorded,
                                        std::max<std::size_t>(256, options_.workflows / 4));
        for (const auto& [workload, rows] : limits_.rows) {
            add(workload, "statements", rows.statements, "1");
            add(workload, "in_a_transaction", rows.in_a_transaction, "1");
        }
    }

    template <class Work>
    void each(const std::string& workload, const std::string& metric, std::size_t work, Work run) {
        const double rows = limits_.rows[workload.substr(0, 2)].per_second;
        for (const std::size_t callers : options_.callers) {
            Rate rate = run(Callers{callers, count_for(callers, work)});
            const std::string name = workload + ", " + std::to_string(callers) + " at a time";
            const auto times = static_cast<double>(work);
            samples_.add({name, kind_, metric, rate.per_second() * times, "1/s", limits_.narrow,
                          rows * times});
            samples_.add({name, kind_, "p50_ms", percentile(rate.latencies_ms, 0.5), "ms",
                          callers == 1 ? std::optional(limits_.commit_ms) : std::nullopt});
            add(name, "p99_ms", percentile(rate.latencies_ms, 0.99), "ms");
            add(name, "cpu_us", rate.cpu_us, "us");
            for (const auto& [thread, time] : rate.thread_us)
                if (time > 0.05) add(name, "cpu_us of " + thread, time, "us");
        }
        add(workload, "rss_mb", resident_mb(), "MB");
    }

    void over_http(Node& node) {
        const std::string url = node.serve("127.0.0.1:0");
        each("W1 over HTTP", "workflows_per_second", 1,
             [&](const Callers& load) { return run_steps_over_http(url, load, 1); });
        each("W3 over HTTP", "events_per_second", 1,
             [&](const Callers& load) { return run_events_over_http(url, load); });
    }

    void timers(Node& node) {
        Lateness lateness = run_timers(node, options_.timers);
        const std::string name = "W4, " + std::to_string(options_.timers) + " timers";
        add(name, "early",
            static_cast<double>(
                std::ranges::count_if(lateness.late_s, [](double late) { return late < 0; })),
            "1");
        add(name, "late_p99_ms", percentile(lateness.late_s, 0.99) * 1'000, "ms");
        add(name, "all_done_s", lateness.all_done_s, "s");
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
        add(workload, "per_second", rate.per_second(), "1/s");
        add(workload, "cpu_us", rate.cpu_us, "us");
        add(workload, "cpu_us of round", rate.thread_us.at("round"), "us");
    }

    void suspended() {
        const Suspended figures = suspend_and_kill(place_.url(), options_.suspended);
        const std::string name = "W5, " + std::to_string(options_.suspended) + " suspended";
        add(name, "rss_mb", figures.rss_mb, "MB");
        add(name, "rss_growth_mb", figures.rss_growth_mb, "MB");
        add(name, "idle_cpu_us", figures.idle_cpu_us, "us/s");
        add(name, "restart_s", figures.serving_s, "s");
        add(name, "restart_to_one_awake_s", figures.awake_s, "s");
    }

    void add(const std::string& workload, const std::string& metric, double value,
             const std::string& unit) {
        samples_.add({workload, kind_, metric, value, unit, {}});
    }

    const std::string kind_;
    const Options& options_;
    Samples& samples_;
    const holdfast::testing::StorePlace place_;
    Limits limits_;
};

std::vector<PeerWorkload> peer_workloads() {
    return {{"W1", "wfPerS", "W1,", "workflows_per_second"},
            {"W2", "stepsPerS", "W2,", "steps_per_second"},
            {"W3", "eventsPerS", "W3,", "events_per_second"}};
}

void run_bench(const Options& options) {
    Samples samples;
    if (options.compare) samples.compare_with(*options.compare);
    for (std::size_t run = 1; run <= options.runs; ++run)
        for (const std::string& kind : options.stores) {
            std::cerr << "run " << run << " of " << options.runs << ", " << kind << std::endl;
            Run(kind, options, samples).all();
        }
    Report report("flows", options.json);
    samples.report(report);
    if (options.peers)
        compare_with_peers(*options.peers, peer_workloads(), options.stores, samples, report);
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    std::string suspend_on;
    CLI::App app{"Workflows written as coroutines, in process and over HTTP"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--compare", options.compare, "print the ratio to the figures of this file");
    app.add_option("--peers", options.peers, "run the harness of other engines in this folder");
    app.add_option("--runs", options.runs, "interleaved runs; the medians are printed");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--workloads", options.workloads, "some of W1,W2,W3,W4,W5,HTTP; growth")
        ->delimiter(',');
    app.add_option("--callers", options.callers, "concurrent callers")->delimiter(',');
    app.add_option("--workflows", options.workflows, "workflows per figure");
    app.add_option("--timers", options.timers, "timers of W4");
    app.add_option("--suspended", options.suspended, "suspended workflows of W5");
    app.add_option("--grown", options.grown, "growth: workflows in the store")->delimiter(',');
    app.add_option("--queued", options.queued, "growth: events in a queue")->delimiter(',');
    app.add_option("--suspend-on", suspend_on, "")->group("");  // the process that W5 kills
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    if (!suspend_on.empty()) return bench::suspend_here(suspend_on, options.suspended);
    try {
        bench::run_bench(options);
    } catch (const std::exception& error) {
        std::cerr << "bench flows: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
