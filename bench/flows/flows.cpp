// bench flows: the workloads W1 to W5 on a node in this process, on both stores; W1 and W3 over
// HTTP too. The raw limit to compare with: the rows of a workflow in two group commits, without
// Holdfast.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "base/log.h"
#include "http_client.h"
#include "raw.h"
#include "report.h"
#include "support/world.h"
#include "suspended.h"
#include "workloads.h"

namespace holdfast::bench {
namespace {

struct Options {
    std::optional<std::string> json;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::vector<std::string> workloads = {"W1", "W2", "W3", "W4", "W5", "HTTP"};
    std::vector<std::size_t> callers = {1, 64, 256};
    std::size_t workflows = 20'000;
    std::size_t timers = 10'000;
    std::size_t suspended = 10'000;
};

class Run {
public:
    Run(const std::string& kind, const Options& options, Report& report)
        : kind_(kind), options_(options), report_(report), place_(kind) {}

    void all() {
        const double raw = wants("W1") ? raw_workflows_per_second(place_) : 0;
        if (wants("W5")) suspended();
        Node node({.store = place_.url(), .name = "bench"});
        add_flows(node);
        if (wants("W1"))
            each("W1", "workflows_per_second", 1, raw,
                 [&](const Callers& load) { return run_steps(node, load, 1); });
        if (wants("W2"))
            each("W2", "steps_per_second", 10, {},
                 [&](const Callers& load) { return run_steps(node, load, 10); });
        if (wants("W3"))
            each("W3", "events_per_second", 1, {},
                 [&](const Callers& load) { return run_events(node, load); });
        if (wants("HTTP")) over_http(node);
        if (wants("W4")) timers(node);
    }

private:
    bool wants(const std::string& workload) const {
        return std::ranges::find(options_.workloads, workload) != options_.workloads.end();
    }
    std::size_t count_for(std::size_t callers, std::size_t work) const {
        return std::max<std::size_t>(callers == 1 ? 500 : options_.workflows / work, callers);
    }

    template <class Work>
    void each(const std::string& workload, const std::string& metric, std::size_t work,
              std::optional<double> raw, Work run) {
        for (const std::size_t callers : options_.callers) {
            Rate rate = run(Callers{callers, count_for(callers, work)});
            const std::string name = workload + ", " + std::to_string(callers) + " at a time";
            add(name, metric, rate.per_second() * static_cast<double>(work), "1/s", raw);
            add(name, "p50_ms", percentile(rate.latencies_ms, 0.5), "ms", {});
            add(name, "p99_ms", percentile(rate.latencies_ms, 0.99), "ms", {});
            add(name, "cpu_us", rate.cpu_us, "us", {});
        }
        add(workload, "rss_mb", resident_mb(), "MB", {});
    }

    void over_http(Node& node) {
        const std::string url = node.serve("127.0.0.1:0");
        each("W1 over HTTP", "workflows_per_second", 1, {},
             [&](const Callers& load) { return run_steps_over_http(url, load, 1); });
        each("W3 over HTTP", "events_per_second", 1, {},
             [&](const Callers& load) { return run_events_over_http(url, load); });
    }

    void timers(Node& node) {
        Lateness lateness = run_timers(node, options_.timers);
        const std::string name = "W4, " + std::to_string(options_.timers) + " timers";
        add(name, "early",
            static_cast<double>(
                std::ranges::count_if(lateness.late_s, [](double late) { return late < 0; })),
            "1", {});
        add(name, "late_p99_ms", percentile(lateness.late_s, 0.99) * 1'000, "ms", {});
        add(name, "all_done_s", lateness.all_done_s, "s", {});
    }

    void suspended() {
        const Suspended figures = suspend_and_kill(place_.url(), options_.suspended);
        const std::string name = "W5, " + std::to_string(options_.suspended) + " suspended";
        add(name, "rss_mb", figures.rss_mb, "MB", {});
        add(name, "rss_growth_mb", figures.rss_growth_mb, "MB", {});
        add(name, "idle_cpu_us", figures.idle_cpu_us, "us/s", {});
        add(name, "restart_s", figures.serving_s, "s", {});
        add(name, "restart_to_one_awake_s", figures.awake_s, "s", {});
    }

    void add(const std::string& workload, const std::string& metric, double value,
             const std::string& unit, std::optional<double> raw) {
        report_.add({workload, kind_, metric, value, unit, raw});
    }

    const std::string kind_;
    const Options& options_;
    Report& report_;
    const holdfast::testing::StorePlace place_;
};

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    std::string suspend_on;
    CLI::App app{"Workflows written as coroutines, in process and over HTTP"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--workloads", options.workloads, "some of W1,W2,W3,W4,W5,HTTP")->delimiter(',');
    app.add_option("--callers", options.callers, "concurrent callers")->delimiter(',');
    app.add_option("--workflows", options.workflows, "workflows per figure");
    app.add_option("--timers", options.timers, "timers of W4");
    app.add_option("--suspended", options.suspended, "suspended workflows of W5");
    app.add_option("--suspend-on", suspend_on, "")->group("");  // the process that W5 kills
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    if (!suspend_on.empty()) return bench::suspend_here(suspend_on, options.suspended);
    bench::Report report("flows", options.json);
    for (const std::string& kind : options.stores) bench::Run(kind, options, report).all();
    return 0;
}
