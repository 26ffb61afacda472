#include <boost/json.hpp>

#include "base/threads/pause.h"
#include "faults/cluster.h"
#include "faults/effects.h"
#include "faults/faults.h"
#include "support/server_client.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using namespace std::chrono_literals;

constexpr std::size_t most_attempts = 5;  // the nodes' default

// Restarts the nodes that died, as a supervisor would.
void restart_dead_nodes(Cluster& cluster, RelayLoad& load, FaultReport& report) {
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        if (!cluster.node(i).has_ended_itself()) continue;
        ++report.faults;
        cluster.node(i).restart();
        load.move(i, cluster.node(i).url());
    }
}

// The node may die before it answers; then the request is repeated on another node.
std::string start_poison(Cluster& cluster) {
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        const auto reply =
            ServerClient(cluster.node(i).url())
                .start(
                    {.definition = "poison", .state = bj::object{}, .idempotency_key = "poison"});
        if (reply && reply->status < 300) return std::string(reply->body.at("id").as_string());
    }
    throw std::runtime_error("no node started the poison workflow");
}

bool is_dead_letter(Cluster& cluster, const std::string& id) {
    for (std::size_t i = 0; i < cluster.size(); ++i) {
        ServerClient client(cluster.node(i).url());
        const auto reply = client.get("/api/v1/dead-letters");
        if (!reply || reply->status != 200) continue;
        for (const bj::value& item : reply->body.at("items").as_array())
            if (bj::serialize(item).contains(id)) return true;
        return false;
    }
    return false;
}

}  // namespace

FaultReport run_poison(const FaultOptions& options) {
    FaultReport report{.name = "work that ends the process"};
    const EffectFile effects;
    Cluster cluster({.nodes = std::vector<ProcessSetting>(3, effects.setting())});
    RelayLoad load({.runner = Runner::nodes,
                    .drivers = 6,
                    .stages = 4,
                    .seed = options.seed,
                    .answer_time = 3s},
                   cluster.urls());
    const std::string id = start_poison(cluster);
    const auto deadline = std::chrono::steady_clock::now() + 90s;
    while (!is_dead_letter(cluster, id) && std::chrono::steady_clock::now() < deadline) {
        restart_dead_nodes(cluster, load, report);
        pause_for(50ms);
    }
    if (!is_dead_letter(cluster, id)) report.wrong.push_back("the signal is not a dead letter");
    restart_dead_nodes(cluster, load, report);
    wait_for_recovery(load, 10s, report);
    const auto facts = judge(load, cluster.node(0).url(), report);
    const std::vector<Effect> seen = effects.read();
    for (const std::string& what : inconsistencies(seen, facts))
        report.findings.otherwise.push_back(what);
    const auto attempts = std::ranges::count(seen, id, &Effect::instance);
    if (static_cast<std::size_t>(attempts) != most_attempts)
        report.wrong.push_back(std::to_string(attempts) + " attempts instead of " +
                               std::to_string(most_attempts));
    return report;
}

}  // namespace holdfast::testing
