// One store and its servers, each in its own process.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {

struct FleetPlan {
    const char* name;
    const char* store;
    int servers;
};

inline void PrintTo(const FleetPlan& plan, std::ostream* out) { *out << plan.name; }

inline constexpr FleetPlan fleet_plans[] = {
    {"one_server_on_sqlite", "sqlite", 1},
    {"one_server_on_postgres", "postgres", 1},
    {"two_servers_on_postgres", "postgres", 2},
};

// Construct it on the test's main thread, see ServerProcess.
class Fleet {
public:
    explicit Fleet(const FleetPlan& plan) : place_(plan.store) {
        for (int i = 0; i < plan.servers; ++i)
            servers_.push_back(std::make_unique<ServerProcess>(place_.url()));
    }

    // Distributes users evenly over the servers.
    const std::string& url(std::size_t user = 0) const {
        return servers_[user % servers_.size()]->url();
    }
    // The sum over all servers.
    double metric(const std::string& sample) const {
        double sum = 0;
        for (const auto& server : servers_) sum += ServerClient(server->url()).metric(sample);
        return sum;
    }

private:
    StorePlace place_;
    std::vector<std::unique_ptr<ServerProcess>> servers_;
};

}  // namespace holdfast::testing
