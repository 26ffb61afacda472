// A bulk job while its server is killed again and again, and while the node that does it is killed:
// each workflow is changed once, and the job's figures are right.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "support/eventually.h"
#include "support/private_postgres.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

constexpr int many = 400;

std::vector<std::string> start_orders(ServerClient& client) {
    EXPECT_LT(client.define("order")->status, 300);
    std::vector<std::string> ids;
    for (int i = 0; i < many; ++i)
        ids.push_back(client.must_start({.definition = "order", .state = bj::object{}}));
    return ids;
}

std::string begin_pause(ServerClient& client) {
    const auto begun = client.post(
        "/api/v1/bulk-jobs",
        R"({"query": {"definition": "order"}, "action": {"do": "pause"}, "reason": "a storm"})");
    EXPECT_EQ(begun->status, 201);
    return "/api/v1/bulk-jobs/" + std::string(begun->body.at("id").as_string());
}

std::uint64_t number_in(const bj::value& job, const char* name) {
    return job.at(name).is_null() ? 0 : job.at(name).to_number<std::uint64_t>();
}

void expect_each_once(ServerClient& client, const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        const bj::value history = client.must_get("/api/v1/workflows/" + id + "/history");
        std::size_t paused = 0;
        for (const bj::value& row : history.at("items").as_array())
            paused += row.at("type").as_string() == "Paused";
        EXPECT_EQ(paused, 1u) << id;
    }
}

bool is_done(ServerClient& client, const std::string& job) {
    const auto reply = client.get(job);
    return reply && reply->status == 200 && reply->body.at("status").as_string() == "done";
}

TEST(KilledBulkJob, GoesOnAfterEveryKill) {
    StorePlace place("sqlite");
    ServerProcess server(place.url());
    std::vector<std::string> ids;
    std::string job;
    {
        ServerClient client(server.url());
        ids = start_orders(client);
        job = begin_pause(client);
    }
    // Each life gets further, then it is killed.
    std::uint64_t before = 0;
    for (int kills = 0; kills < 3; ++kills) {
        ServerClient client(server.url());
        EXPECT_TRUE(eventually([&] {
            const auto reply = client.get(job);
            return !reply || number_in(reply->body, "done") > before ||
                   reply->body.at("status").as_string() == "done";
        }));
        before = number_in(client.must_get(job), "done");
        server.restart();
    }
    ServerClient client(server.url());
    ASSERT_TRUE(eventually([&] { return is_done(client, job); }));
    const bj::value done = client.must_get(job);
    EXPECT_EQ(number_in(done, "matched"), many);
    EXPECT_EQ(number_in(done, "done"), many);
    EXPECT_EQ(number_in(done, "refused"), 0u);
    expect_each_once(client, ids);
}

TEST(KilledBulkJob, GoesOnOnAnotherNode) {
    PrivatePostgres database;
    const std::vector<std::string> short_lease{"--pump-lease-seconds", "2"};
    ServerProcess first(database.url(), short_lease);
    ServerProcess second(database.url(), short_lease);
    ServerClient other(second.url());
    std::vector<std::string> ids;
    std::string job;
    {
        ServerClient client(first.url());
        ids = start_orders(client);
        job = begin_pause(client);
        EXPECT_TRUE(eventually([&] { return number_in(client.must_get(job), "done") > 0; }));
    }
    first.kill9();
    ASSERT_TRUE(eventually([&] { return is_done(other, job); }, std::chrono::minutes(1)))
        << second.output();
    EXPECT_EQ(number_in(other.must_get(job), "done"), many);
    expect_each_once(other, ids);
}

}  // namespace
}  // namespace holdfast::testing
