// Many clients start under the same business keys at once, on all servers: one starts
// each.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>
#include <thread>

#include "support/fleet.h"

namespace holdfast::testing {
namespace {

constexpr std::size_t starters = 8;
constexpr int distinct_keys = 40;

class ConcurrentStarts : public ::testing::TestWithParam<FleetPlan> {};
INSTANTIATE_TEST_SUITE_P(Fleets, ConcurrentStarts, ::testing::ValuesIn(fleet_plans),
                         [](const auto& info) { return std::string(info.param.name); });

std::string body_of(int key, const char* policy) {
    return R"({"definition": "order", "businessKey": "key-)" + std::to_string(key) +
           R"(", "onOpen": ")" + policy + "\"}";
}

TEST_P(ConcurrentStarts, OneStartsUnderAKey) {
    Fleet fleet(GetParam());
    ASSERT_LT(ServerClient(fleet.url()).define("order")->status, 300);
    std::vector<std::vector<std::string>> found(starters);
    std::vector<int> started(starters);
    {
        std::vector<std::jthread> threads;
        for (std::size_t user = 0; user < starters; ++user)
            threads.emplace_back([&, user] {
                ServerClient client(fleet.url(user));
                for (int key = 0; key < distinct_keys; ++key) {
                    const auto reply = client.post("/api/v1/workflows", body_of(key, "existing"));
                    found[user].emplace_back(reply->body.at("id").as_string());
                    started[user] += reply->status == 201;
                }
            });
    }
    int all = 0;
    for (const int count : started) all += count;
    EXPECT_EQ(all, distinct_keys);
    for (std::size_t user = 1; user < starters; ++user) EXPECT_EQ(found[user], found[0]);
}

TEST_P(ConcurrentStarts, OneIsOpenAfterAllHaveCancelledTheOneBefore) {
    Fleet fleet(GetParam());
    ASSERT_LT(ServerClient(fleet.url()).define("order")->status, 300);
    {
        std::vector<std::jthread> threads;
        for (std::size_t user = 0; user < starters; ++user)
            threads.emplace_back([&, user] {
                ServerClient client(fleet.url(user));
                for (int key = 0; key < 10; ++key)
                    EXPECT_EQ(client.post("/api/v1/workflows", body_of(key, "cancel"))->status,
                              201);
            });
    }
    const auto open = ServerClient(fleet.url())
                          .must_get("/api/v1/workflows?definition=order&status=open&limit=100");
    EXPECT_EQ(open.at("items").as_array().size(), 10u);
}

}  // namespace
}  // namespace holdfast::testing
