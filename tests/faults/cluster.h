// A PostgreSQL server and nodes on it, all of the test's own, that may go down one by one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "support/private_postgres.h"
#include "support/server_process.h"
#include "support/tcp_proxy.h"

namespace holdfast::testing {

// How long a silent node keeps what it has; its work is taken over afterwards.
inline constexpr std::chrono::seconds node_lease{2};

enum class Way { direct, through_proxy };  // to the database

struct ClusterPlan {
    std::vector<ProcessSetting> nodes = std::vector<ProcessSetting>(3);
    Way way = Way::direct;
};

// Make it on the test's main thread, see ServerProcess.
class Cluster {
public:
    explicit Cluster(const ClusterPlan& plan);

    PrivatePostgres& database() { return database_; }
    TcpProxy& proxy() { return proxy_; }
    ServerProcess& node(std::size_t number) { return *nodes_[number]; }
    std::size_t size() const { return nodes_.size(); }
    std::vector<std::string> urls() const;
    // Of the database that the nodes use.
    std::string database_url() const { return database_.url("work"); }
    // The first value that SQL gives there, which must be text; not while it is down.
    std::string query(const std::string& sql) const;

private:
    PrivatePostgres database_;
    TcpProxy proxy_;
    std::vector<std::unique_ptr<ServerProcess>> nodes_;
};

}  // namespace holdfast::testing
