// bench bpmn: a process of ten nodes from its start to its end on a node in this process, on both
// stores, alone and with many processes waiting. Several runs, interleaved; each measures the
// narrow raw limit beside the rates.
#include "measures/interleaved.h"
#include "processes.h"
#include "support/server_client.h"
#include "support/world.h"

namespace holdfast::bench {
namespace {

struct Options : RunOptions {
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
    Run(StoreRun& run, const Options& options)
        : run_(run), options_(options), place_(run.store()) {}

    void all() {
        Node node({.store = place_.url(), .name = "bench"});
        add_worker(node);
        deploy_processes(node);
        testing::ServerClient client(node.serve("127.0.0.1:0"));
        run_processes(node, {16, std::min<std::size_t>(options_.processes, 500)});
        measure(node, client, "process");
        if (options_.waiting == 0) return;
        leave_waiting(node, options_.waiting);
        measure(node, client, "beside " + std::to_string(options_.waiting));
    }

private:
    void measure(Node& node, testing::ServerClient& client, const std::string& workload) {
        run_.measure_limit();
        for (const std::size_t callers : options_.callers)
            measure(node, client, workload + ", " + std::to_string(callers) + " at a time",
                    callers);
        run_.measure_limit();
    }
    void measure(Node& node, testing::ServerClient& client, const std::string& workload,
                 std::size_t callers) {
        const std::size_t count =
            callers == 1 ? std::min<std::size_t>(300, options_.processes) : options_.processes;
        const Callers load{callers, std::max(count, callers)};
        const Written before(client);
        const Rate rate = run_processes(node, load);
        const Written after(client);
        run_.add_rate({.workload = workload, .metric = "processes_per_second"}, rate, load);
        const auto done = static_cast<double>(rate.done);
        run_.add(workload, "commits", after.commits_since(before) / done, "1");
        run_.add(workload, "loads", after.loads_since(before) / done, "1");
        run_.add(workload, "claims", after.claims_since(before) / done, "1");
        run_.add(workload, "rows", after.rows_since(before) / done, "1");
    }

    StoreRun& run_;
    const Options& options_;
    const testing::StorePlace place_;
};

// Models of one service task, and of ten in a row, in memory.
std::vector<PeerWorkload> peer_workloads() {
    return {{"W1 pre-parsed model", "wfPerS", "process,", "processes_per_second"},
            {"W2 pre-parsed model", "wfPerS", "process,", "processes_per_second"}};
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"BPMN processes from start to end"};
    bench::add_options(app, options);
    app.add_option("--processes", options.processes, "processes per figure");
    app.add_option("--waiting", options.waiting, "processes that wait beside them; 0: none");
    CLI11_PARSE(app, argc, argv);
    ::setenv("PEERS_ONLY", "bpmn", 0);
    return bench::run_interleaved("bpmn", options, bench::peer_workloads(),
                                  [&](bench::StoreRun& run) { bench::Run(run, options).all(); });
}
