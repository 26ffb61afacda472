#include "faults/cluster.h"

#include <stdexcept>

#include "store/postgres/connection/connection.h"

namespace holdfast::testing {

using namespace std::chrono_literals;

Cluster::Cluster(const ClusterPlan& plan) : proxy_(database_.directory()) {
    database_.create_database("work");
    const std::string url = plan.route == Route::direct ? database_url() : proxy_.url("work");
    for (const ProcessSetting& setting : plan.nodes) {
        const std::vector<std::string> arguments = {
            "--node", "node-" + std::to_string(nodes_.size()), "--pump-lease-seconds",
            std::to_string(node_lease.count())};
        nodes_.push_back(std::make_unique<ServerProcess>(url, arguments, setting));
    }
}

std::vector<std::string> Cluster::urls() const {
    std::vector<std::string> all;
    for (const auto& node : nodes_) all.push_back(node->url());
    return all;
}

std::string Cluster::query(const std::string& sql) const {
    auto link = postgres::Connection::open({database_url(), 10s}, postgres::Role::maintenance);
    if (!link) throw std::runtime_error(link.error().message);
    (*link)->queue_once(sql);
    const auto results = (*link)->exchange();
    if (!results) throw std::runtime_error(results.error().message);
    const auto& rows = results->back();
    return rows.size() > 0 ? std::string(rows[0].text()) : "";
}

}  // namespace holdfast::testing
