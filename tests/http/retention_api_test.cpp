// POST /api/v1/retention/run: one run at a time.
#include <gtest/gtest.h>

#include <list>

#include "base/threads/threads.h"
#include "support/eventually.h"
#include "support/held_commit.h"
#include "support/runner_api.h"

namespace holdfast::testing {
namespace {

const std::string retention_run = "/api/v1/retention/run";

class RetentionApi : public ::testing::TestWithParam<const char*> {
protected:
    // A workflow that the next run cancels.
    void make_stale() {
        ASSERT_EQ(server_
                      .call(Method::put, "/api/v1/definitions/brief",
                            R"({"retention": {"staleAfter": "PT0.001S"}})")
                      .status,
                  201);
        ASSERT_EQ(server_.call(Method::post, workflows, R"({"definition": "brief"})").status, 201);
        ASSERT_TRUE(eventually([&] {
            const Reply dry = server_.call(Method::post, retention_run + "?dryRun=true");
            return dry.status == 200 && dry.number_at("/cancelled") == 1;
        }));
    }
    void expect_running(const Reply& reply, const std::string& node) {
        EXPECT_EQ(reply.status, 409) << reply;
        EXPECT_EQ(reply.slug(), "retention-running");
        EXPECT_EQ(reply.text_at("/node"), node);
    }

    HeldCommit held_;
    ApiServer server_{GetParam(), {.store = held_.options()}};
};

INSTANTIATE_TEST_SUITE_P(Stores, RetentionApi, durable_stores(), store_name);

TEST_P(RetentionApi, OneRunAtATimeTheOthersAreToldSinceWhen) {
    make_stale();
    held_.arm();
    Reply first;
    auto running = named_thread("runs", [&](const std::stop_token&) {
        first = server_.client().call(Method::post, retention_run);
    });
    held_.wait_until_held();
    // More than there are threads that read: none of them waits for the run.
    for (int i = 0; i < 12; ++i) {
        const Reply refused =
            server_.call(Method::post, retention_run + (i % 2 ? "?dryRun=true" : ""));
        expect_running(refused, "node");
        EXPECT_TRUE(refused.text_at("/startedAt").ends_with("Z"));
    }
    EXPECT_EQ(server_.call(Method::get, "/api/v1/nodes").status, 200);
    held_.let_go();
    running.join();
    EXPECT_EQ(first.status, 200) << first;
    EXPECT_EQ(first.number_at("/cancelled"), 1u);
    EXPECT_EQ(server_.call(Method::post, retention_run).status, 200);
}

TEST_P(RetentionApi, ARunOnAnotherNodeIsToldLikewise) {
    make_stale();
    ASSERT_TRUE(*server_.world.store->lock_host("retention", "other", std::chrono::hours(1)));
    const Reply refused = server_.call(Method::post, retention_run);
    expect_running(refused, "other");
    EXPECT_TRUE(refused.text_at("/lockedUntil").ends_with("Z"));
}

}  // namespace
}  // namespace holdfast::testing
