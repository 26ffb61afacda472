// bench store: committed edits per second with 1, 32 and 256 writers, compared with the raw limit,
// and selective queries on a million instances, on both stores.
#include <CLI/CLI.hpp>

#include "base/log.h"
#include "edits.h"
#include "query_bench.h"
#include "raw_limit.h"
#include "report.h"

namespace holdfast::bench {
namespace {

struct Options {
    std::optional<std::string> json;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::vector<std::size_t> writers = {1, 32, 256};
    int seconds = 3;
    std::size_t instances = 1'000'000;
};

RawLimit raw_limit(testing::World& world, const std::vector<Instance>& instances,
                   std::chrono::milliseconds time) {
    world.coordinator.reset();
    world.store.reset();
    const std::string& url = world.place.url();
    return world.place.kind() == "sqlite" ? sqlite_raw_limit(url.substr(7), instances, time)
                                          : postgres_raw_limit(url, instances, time);
}

// The instances as they are stored now, in the order of `instances`.
std::vector<Instance> reread(testing::World& world, const std::vector<Instance>& instances) {
    std::vector<Instance> stored;
    for (const Instance& instance : instances) stored.push_back(world.read(instance.id));
    return stored;
}

void bench_edits(const std::string& kind, const Options& options, Report& report) {
    const std::chrono::seconds time{options.seconds};
    testing::World world(kind);
    auto instances = start_instances(world);
    (void)run_edits(world, instances, 256, std::chrono::seconds{1});  // warms caches and the WAL
    std::map<std::size_t, EditRates> rates;
    for (const std::size_t writers : options.writers)
        rates[writers] = run_edits(world, instances, writers, time);
    const RawLimit limit = raw_limit(world, reread(world, instances), time);
    for (const auto& [writers, rate] : rates) {
        const std::string workload = "edits, " + std::to_string(writers) + " writers";
        report.add({workload, kind, "edits_per_second", rate.edits_per_second, "1/s",
                    limit.edits_per_second});
        report.add({workload, kind, "operations_per_commit", rate.operations_per_commit, "1",
                    std::nullopt});
        report.add({workload, kind, "p50_ms", rate.p50_ms, "ms", std::nullopt});
        report.add({workload, kind, "p99_ms", rate.p99_ms, "ms", std::nullopt});
        report.add({workload, kind, "cpu_us", rate.cpu_us, "us", std::nullopt});
        for (const auto& [thread, time] : rate.thread_us)
            report.add({workload, kind, "cpu_us of " + thread, time, "us", std::nullopt});
    }
    report.add({"raw limit, 256 a commit", kind, "edits_per_second", limit.edits_per_second, "1/s",
                std::nullopt});
    report.add(
        {"raw limit, 256 a commit", kind, "rows_per_edit", limit.rows_per_edit, "1", std::nullopt});
}

void bench_queries(const std::string& kind, const Options& options, Report& report) {
    testing::World world(kind);
    world.define("bench", "", {"currentStep", "agentContext.currentAgent"});
    (void)world.store->build_indexes({});
    fill(world, options.instances);
    run_queries(world, options.instances, report);
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"Committed edits and selective queries on both stores"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--writers", options.writers, "edits in flight: 1 to 256")
        ->delimiter(',')
        ->check(CLI::Range(std::size_t{1}, bench::instance_count));
    app.add_option("--seconds", options.seconds, "seconds per workload");
    app.add_option("--instances", options.instances,
                   "instances for the queries; 0 skips the queries");
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::error);
    bench::Report report("store", options.json);
    for (const std::string& kind : options.stores) bench::bench_edits(kind, options, report);
    for (const std::string& kind : options.stores)
        if (options.instances > 0) bench::bench_queries(kind, options, report);
    return 0;
}
