// A state that fails its checksum, over HTTP: readable, not changeable, released after repair.
#include <gtest/gtest.h>

#include "support/api_server.h"

namespace holdfast::testing {
namespace {

class QuarantineApi : public DurableApi {
protected:
    QuarantineApi() : id_(server_.start_id(R"({"n": 1})")) { server_.corrupt_state(id_); }

    Reply post(const std::string& route, const std::string& body = {}) {
        return server_.call(Method::post, ApiServer::path_of(id_) + route, body);
    }

    std::string id_;
};

INSTANTIATE_TEST_SUITE_P(Stores, QuarantineApi, durable_stores(), store_name);

TEST_P(QuarantineApi, ACorruptStateIsShownAsQuarantined) {
    const Reply read = server_.get(id_);
    EXPECT_EQ(read.status, 200) << read;
    EXPECT_TRUE(read.at("/quarantined").as_bool());
    const Reply list = server_.call(Method::get, "/api/v1/workflows?include=state");
    EXPECT_TRUE(list.at("/items/0/quarantined").as_bool());
}

TEST_P(QuarantineApi, ACorruptStateIsNotChanged) {
    const std::string clear = ApiServer::path_of(id_);
    for (const Reply& refused :
         {server_.patch(id_, "\"1\"", R"({"state": {"n": 2}})"),
          server_.patch(id_, "*", R"({"state": {"n": 2}})", "?onConflict=client-wins"),
          server_.call(Method::del, clear, {}, {{"If-Match", "\"1\""}}), post("/cancel"),
          post("/checkpoints", R"({"name": "c"})")}) {
        EXPECT_EQ(refused.status, 409) << refused;
        EXPECT_EQ(refused.slug(), "quarantined");
    }
    EXPECT_EQ(server_.get(id_).number_at("/version"), 1u);
}

TEST_P(QuarantineApi, AReleaseWithoutRepairIsRefused) {
    const Reply refused = post("/release");
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.slug(), "quarantined");
    EXPECT_TRUE(server_.get(id_).at("/quarantined").as_bool());
}

TEST_P(QuarantineApi, AReleaseWithTheRepairedStateOpensItAgain) {
    const Reply released = post("/release", R"({"state": {"n": 1}})");
    ASSERT_EQ(released.status, 200) << released;
    EXPECT_EQ(released.header("ETag"), "\"2\"");
    EXPECT_FALSE(released.at("/quarantined").as_bool());
    EXPECT_FALSE(server_.get(id_).at("/quarantined").as_bool());
    EXPECT_EQ(server_.patch(id_, "\"2\"", R"({"state": {"n": 2}})").status, 200);
}

TEST_P(QuarantineApi, ASoundStateIsNotReleased) {
    const Reply refused =
        server_.call(Method::post, ApiServer::path_of(server_.start_id()) + "/release");
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.slug(), "not-quarantined");
}

}  // namespace
}  // namespace holdfast::testing
