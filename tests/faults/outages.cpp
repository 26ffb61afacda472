#include "faults/cluster.h"
#include "faults/loads.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// The outage is longer than every timer, so that armed timers come due during it.
constexpr auto shortest_timer = 1'000ms;
constexpr auto time_down = 2'500ms;

const char* name_of(Outage outage) {
    switch (outage) {
        case Outage::one_node_down: return "one node down";
        case Outage::all_nodes_down: return "all nodes down";
        case Outage::database_down: return "the database down";
        case Outage::nodes_and_database_down:
            return "nodes and database down while timers come due";
    }
    return "";
}

struct Extent {
    std::size_t nodes;
    bool database;
};

Extent extent_of(Outage outage, std::size_t nodes) {
    switch (outage) {
        case Outage::one_node_down: return {1, false};
        case Outage::all_nodes_down: return {nodes, false};
        case Outage::database_down: return {0, true};
        case Outage::nodes_and_database_down: return {nodes, true};
    }
    return {0, false};
}

void cause_outage(Cluster& cluster, Extent extent, Loads& loads) {
    for (std::size_t i = 0; i < extent.nodes; ++i) {
        cluster.node(i).kill9();
        loads.move(i, "");
    }
    if (extent.database) cluster.database().stop(StopMode::immediate);
    let_pass(time_down);
    if (extent.database) cluster.database().start();
    for (std::size_t i = 0; i < extent.nodes; ++i) {
        cluster.node(i).restart();
        loads.move(i, cluster.node(i).url());
    }
}

// Prints the state of programs that did not end, to find out why.
void print_stuck(Cluster& cluster, const FaultReport& report) {
    if (report.findings.stuck.empty()) return;
    const std::string open = cluster.query(
        "select coalesce(string_agg(i.id || ' ' || i.status || ' at ' || i.activity_index || ' ' "
        "|| "
        "i.program_json || ' incident ' || i.incident || ': ' || coalesce((select "
        "string_agg(q.type "
        "|| ' of ' || coalesce(q.leased_by::text, 'no node') || ' epoch ' || q.epoch || ' attempt "
        "' "
        "|| q.attempts || ' visible ' || q.visible_at || ' lease until ' || coalesce((select "
        "n.lease_until::text from nodes n where n.node_id = q.leased_by), 'never'), ', ') from "
        "signal_queue q where q.instance_id = i.id), 'no signal'), chr(10)), '') || chr(10) || "
        "'now ' || clock_timestamp() from instances i where i.completed_at is null and "
        "i.program_json is not null");
    std::fprintf(stderr, "open programs:\n%s\n", open.c_str());
    for (std::size_t i = 0; i < cluster.size(); ++i)
        std::fprintf(stderr, "node %zu:\n%s\n", i, cluster.node(i).output().c_str());
}

}  // namespace

FaultReport run_outage(Outage outage, const FaultOptions& options) {
    FaultReport report{.name = name_of(outage), .recovery = "acknowledged again after"};
    const EffectFile effects;
    Cluster cluster({.nodes = std::vector<ProcessSetting>(3, effects.setting())});
    const RelayOptions patient{.drivers = 16,
                               .stages = 3,
                               .seed = options.seed,
                               .timer = shortest_timer,
                               .pause = 10ms,
                               .answer_time = 3s};
    Loads loads(patient, {.drivers = 6, .stages = 4, .seed = options.seed, .answer_time = 3s},
                cluster.urls());
    for (Rounds rounds(options, report); rounds.next();) {
        if (!loads.outside.wait_for(100, 30s))
            report.wrong.push_back("the nodes acknowledge too few requests");
        cause_outage(cluster, extent_of(outage, cluster.size()), loads);
        wait_for_recovery(loads.outside, 10s, report);
    }
    loads.judge(cluster.node(0).url(), effects, report);
    print_stuck(cluster, report);
    return report;
}

}  // namespace holdfast::testing
