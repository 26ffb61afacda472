#include <random>

#include "faults/cluster.h"
#include "faults/loads.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

// Other nodes can claim the work of a dead node when its lease expires; plus time to claim it.
constexpr auto longest_take_over = node_lease + 1s;

// Kills the node and restarts it after `away`.
void kill(Cluster& cluster, std::size_t node, Loads& loads, microseconds away) {
    cluster.node(node).kill9();
    loads.move(node, "");
    let_pass(away);
    cluster.node(node).restart();
    loads.move(node, cluster.node(node).url());
}

// Stops the process for longer than its lease, then lets it continue.
void halt(Cluster& cluster, std::size_t node, microseconds away) {
    cluster.node(node).halt();
    let_pass(node_lease + away);
    cluster.node(node).go_on();
}

void measure(const std::vector<Effect>& effects, const std::vector<NodeFault>& faults,
             FaultReport& report) {
    for (const NodeFault& fault : faults)
        for (const double time : take_overs(effects, fault)) report.milliseconds.push_back(time);
    const auto limit = std::chrono::duration<double, std::milli>(longest_take_over).count();
    if (report.percentile(0.99) > limit) report.wrong.push_back("a take-over took too long");
}

}  // namespace

FaultReport lose_nodes(const FaultOptions& options) {
    FaultReport report{.name = "nodes killed or stopped, PostgreSQL",
                       .recovery = "taken over after"};
    std::mt19937_64 random(options.seed);
    const EffectFile effects;
    Cluster cluster({.nodes = std::vector<ProcessSetting>(3, effects.setting())});
    Loads loads({.drivers = 3, .seed = options.seed, .answer_time = 3s},
                {.drivers = 12, .stages = 4, .seed = options.seed, .answer_time = 3s},
                cluster.urls());
    std::vector<NodeFault> faults;
    std::size_t halts = 0;
    for (Rounds rounds(options, report); rounds.next();) {
        if (!loads.inside.wait_for(10 + random() % 30, 30s))
            report.wrong.push_back("the nodes acknowledge too few requests");
        let_pass(microseconds(random() % 50'000));
        const std::size_t node = random() % cluster.size();
        const microseconds away(random() % 500'000);
        faults.push_back({cluster.node(node).pid(), std::chrono::steady_clock::now()});
        const bool halted = random() % 2 == 0;
        halted ? halt(cluster, node, away) : kill(cluster, node, loads, away);
        halts += halted;
    }
    loads.judge(cluster.node(0).url(), effects, report);
    measure(effects.read(), faults, report);
    report.more = std::to_string(halts) + " of them stopped, " +
                  std::to_string(report.milliseconds.size()) + " steps taken over";
    return report;
}

}  // namespace holdfast::testing
