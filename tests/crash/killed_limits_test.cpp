// A definition with limits on servers that are killed: never too many run, everybody gets a turn.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <random>

#include "support/eventually.h"
#include "support/private_postgres.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

constexpr std::size_t concurrency = 3;
constexpr int scarce_starts = 45;
constexpr int ends_between_kills = 10;

class KilledLimits {
public:
    explicit KilledLimits(std::vector<ServerProcess*> servers) : servers_(std::move(servers)) {
        ServerClient client(servers_.front()->url());
        EXPECT_EQ(client.define("scarce", R"({"limits": {"concurrency": 3}})")->status, 201);
        EXPECT_EQ(client.define("plain")->status, 201);
    }

    void run() {
        for (int i = 0; i < scarce_starts; ++i)
            client().must_start({.definition = "scarce", .state = boost::json::object{}});
        // Nobody of another definition waits behind them.
        const std::string plain =
            client().must_start({.definition = "plain", .state = boost::json::object{}});
        EXPECT_EQ(client().must_get("/api/v1/workflows/" + plain).at("status"), "running");
        EXPECT_TRUE(eventually([&] { return end_those_who_run(); }, std::chrono::minutes(2)))
            << ended_ << " got a turn";
        EXPECT_EQ(ended_, scarce_starts);
    }

private:
    ServerClient client() { return ServerClient(servers_[random_() % servers_.size()]->url()); }

    // Whether all have ended.
    bool end_those_who_run() {
        const auto page =
            client().must_get("/api/v1/workflows?definition=scarce&status=running&limit=100");
        const auto& running = page.at("items").as_array();
        EXPECT_LE(running.size(), concurrency);
        for (const auto& one : running) {
            const std::string id(one.at("id").as_string());
            const auto reply = client().post("/api/v1/workflows/" + id + "/complete",
                                             R"({"run": 1, "index": 0, "result": null})");
            EXPECT_EQ(reply->status, 200) << id;
            if (++ended_ % ends_between_kills == 0)
                servers_[random_() % servers_.size()]->restart();
        }
        return ended_ >= scarce_starts;
    }

    std::vector<ServerProcess*> servers_;
    std::mt19937_64 random_{7};
    int ended_ = 0;
};

TEST(KilledLimits, HoldOnSqlite) {
    StorePlace place("sqlite");
    ServerProcess server(place.url());
    KilledLimits({&server}).run();
}

TEST(KilledLimits, HoldOnThreeNodes) {
    PrivatePostgres database;
    const std::vector<std::string> short_lease{"--pump-lease-seconds", "2"};
    ServerProcess first(database.url(), short_lease);
    ServerProcess second(database.url(), short_lease);
    ServerProcess third(database.url(), short_lease);
    KilledLimits({&first, &second, &third}).run();
}

}  // namespace
}  // namespace holdfast::testing
