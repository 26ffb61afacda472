// A private PostgreSQL server and nodes on it that a test can stop one by one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/private_postgres.h"
#include "support/server_process.h"
#include "support/tcp_proxy.h"

namespace holdfast::testing {

// The lease of a node; when it expires, other nodes take over its work.
inline constexpr std::chrono::seconds node_lease{2};

enum class Route { direct, through_proxy };  // from the nodes to the database

struct ClusterPlan {
    std::vector<ProcessSetting> nodes = std::vector<ProcessSetting>(3);
    Route route = Route::direct;
};

// Construct it on the test's main thread, see ServerProcess.
class Cluster {
public:
    explicit Cluster(const ClusterPlan& plan);

    PrivatePostgres& database() { return database_; }
    TcpProxy& proxy() { return proxy_; }
    ServerProcess& node(std::size_t number) { return *nodes_[number]; }
    std::size_t size() const { return nodes_.size(); }
    std::vector<std::string> urls() const;
    // The database that the nodes use, without the proxy.
    std::string database_url() const { return database_.url("work"); }
    // The first value of the result, which must be text. Throws while the database is down.
    std::string query(const std::string& sql) const;

private:
    PrivatePostgres database_;
    TcpProxy proxy_;
    std::vector<std::unique_ptr<ServerProcess>> nodes_;
};

}  // namespace holdfast::testing
