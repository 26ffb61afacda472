// bench bpmn: a process of ten nodes from its start to its end on a node in this process, on both
// stores, alone and with many processes waiting. Several runs, interleaved; each measures the
// narrow raw limit beside the rates.
#include <CLI/CLI.hpp>
#include <iostream>

#include "base/log.h"
#include "measures/peers.h"
#include "measures/raw_narrow.h"
#include "processes.h"
#include "support/server_client.h"

namespace holdfast::bench {
namespace {

struct Options {
    std::optional<std::string> json;
    std::optional<std::string> peers;
    std::optional<std::string> compare;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::vector<std::size_t> callers = {1, 64, 256};
    std::size_t runs = 3;
    std::size_t processes = 10'000;
    std::size_t waiting = 100'000;
};

// What the node has written so far.
class Written {
public:
    explicit Written(testing::ServerClient& client)
        : commits_(client.metric("holdfast_commits_total")),
          loads_(client.metric("holdfast_round_loads_total")),
          claims_(client.metric("holdfast_signal_claims_total")),
          rows_(client.metric("holdfast_rows_written_total") +
                client.metric("holdfast_signals_claimed_total")) {}

    double commits_since(const Written& before) const { return commits_ - before.commits_; }
    double loads_since(const Written& before) const { return loads_ - before.loads_; }
    double claims_since(const Written& before) const { return claims_ - before.claims_; }
    double rows_since(const Written& before) const { return rows_ - before.rows_; }

private:
    double commits_;
    double loads_;
    double claims_;
    double rows_;
};

// One of the interleaved runs, on an empty store.
class Run {
public:
    Run(const std::string& kind, const Options& options, Samples& samples)
        : kind_(kind), options_(options), samples_(samples), place_(kind) {}

    void all() {
        {
            const testing::StorePlace place(kind_);
            limit_ = raw_workflows_per_second(place);
        }
        Node node({.store = place_.url(), .name = "bench"});
        add_worker(node);
        deploy_processes(node);
        testing::ServerClient client(node.serve("127.0.0.1:0"));
        run_processes(node, {16, std::min<std::size_t>(options_.processes, 500)});
        for (const std::size_t callers : options_.callers)
            measure(node, client, "process, " + std::to_string(callers) + " at a time", callers);
        if (options_.waiting == 0) return;
        leave_waiting(node, options_.waiting);
        for (const std::size_t callers : options_.callers)
            measure(node, client,
                    "beside " + std::to_string(options_.waiting) + ", " + std::to_string(callers),
                    callers);
    }

private:
    void measure(Node& node, testing::ServerClient& client, const std::string& name,
                 std::size_t callers) {
        const std::size_t count =
            callers == 1 ? std::min<std::size_t>(300, options_.processes) : options_.processes;
        const Written before(client);
        Rate rate = run_processes(node, {callers, std::max(count, callers)});
        const Written after(client);
        samples_.add({name, kind_, "processes_per_second", rate.per_second(), "1/s", limit_});
        const auto done = static_cast<double>(rate.done);
        add(name, "p50_ms", percentile(rate.latencies_ms, 0.5), "ms");
        add(name, "p99_ms", percentile(rate.latencies_ms, 0.99), "ms");
        add(name, "commits", after.commits_since(before) / done, "1");
        add(name, "loads", after.loads_since(before) / done, "1");
        add(name, "claims", after.claims_since(before) / done, "1");
        add(name, "rows", after.rows_since(before) / done, "1");
        add(name, "cpu_us", rate.cpu_us, "us");
        for (const auto& [thread, time] : rate.thread_us)
            if (time > 0.5) add(name, "cpu_us of " + thread, time, "us");
    }
    void add(const std::string& workload, const std::string& metric, double value,
             const std::string& unit) {
        samples_.add({workload, kind_, metric, value, unit, {}});
    }

    const std::string kind_;
    const Options& options_;
    Samples& samples_;
    const testing::StorePlace place_;
    double limit_ = 0;
};

void run_bench(const Options& options) {
    Samples samples;
    if (options.compare) samples.compare_with(*options.compare);
    for (std::size_t run = 1; run <= options.runs; ++run)
        for (const std::string& kind : options.stores) {
            std::cerr << "run " << run << " of " << options.runs << ", " << kind << std::endl;
            Run(kind, options, samples).all();
        }
    Report report("bpmn", options.json);
    samples.report(report);
    if (!options.peers) return;
    // Models of one service task, and of ten in a row, in memory.
    ::setenv("PEERS_ONLY", "bpmn", 0);
    compare_with_peers(*options.peers,
                       {{"W1 pre-parsed model", "wfPerS", "process,", "processes_per_second"},
                        {"W2 pre-parsed model", "wfPerS", "process,", "processes_per_second"}},
                       options.stores, samples, report);
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"BPMN processes from start to end"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--compare", options.compare, "print the ratio to the figures of this file");
    app.add_option("--peers", options.peers, "run the harness of other engines in this folder");
    app.add_option("--runs", options.runs, "interleaved runs; the medians are printed");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--callers", options.callers, "concurrent callers")->delimiter(',');
    app.add_option("--processes", options.processes, "processes per figure");
    app.add_option("--waiting", options.waiting, "processes that wait beside them; 0: none");
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    try {
        bench::run_bench(options);
    } catch (const std::exception& error) {
        std::cerr << "bench bpmn: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
