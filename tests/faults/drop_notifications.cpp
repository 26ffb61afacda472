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

// A node sends three heartbeats per lease; one second more for a slow machine.
constexpr auto longest_search = std::chrono::milliseconds(node_lease) / 3 + 1s;

// Starts a workflow on a node without its program; returns the milliseconds until the node that has
// the program begins it. Absent: more than 10 s.
std::optional<double> time_to_find(ServerClient& client, const EffectFile& effects,
                                   const std::string& key) {
    const std::string id = client.must_start(
        {.definition = "relay", .state = bj::object{{"stages", 1}}, .business_key = key});
    const auto began = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() < began + 10s) {
        const std::vector<Effect> seen = effects.read();
        const auto found = std::ranges::find(seen, id, &Effect::instance);
        if (found != seen.end())
            return std::chrono::duration<double, std::milli>(found->at - began).count();
        pause_for(5ms);
    }
    return std::nullopt;
}

}  // namespace

FaultReport drop_notifications(const FaultOptions& options) {
    FaultReport report{.name = "notifications dropped", .recovery = "found after"};
    const EffectFile effects;
    Cluster cluster({.nodes = {effects.setting(), {}}, .route = Route::through_proxy});
    ServerClient client(cluster.node(1).url());
    double notified = 0;
    for (int i = 0; i < 5; ++i) {
        const auto time = time_to_find(client, effects, "notified" + std::to_string(i));
        notified = std::max(notified, time.value_or(1e9));
    }
    cluster.proxy().set(Notifications::dropped);
    for (Rounds rounds(options, report); rounds.next();) {
        const auto time = time_to_find(client, effects, "dropped" + std::to_string(report.faults));
        if (!time) report.wrong.push_back("work was not found");
        report.milliseconds.push_back(time.value_or(10'000));
    }
    const auto limit = std::chrono::duration<double, std::milli>(longest_search).count();
    if (report.percentile(1) > limit) report.wrong.push_back("work was found too late");
    if (cluster.proxy().dropped() == 0) report.wrong.push_back("no notification was dropped");
    report.more = std::to_string(cluster.proxy().dropped()) +
                  " notifications dropped; with notifications found after at most " +
                  std::to_string(static_cast<int>(notified)) + " ms";
    return report;
}

}  // namespace holdfast::testing
