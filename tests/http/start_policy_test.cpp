// Starts under a business key that an open or ended workflow has.
#include <gtest/gtest.h>

#include "support/api_server.h"

namespace holdfast::testing {
namespace {

class StartPolicies : public DurableApi {
protected:
    StartPolicies() {
        server_.world.define("order");
        server_.world.define("invoice");
    }

    Reply start(const std::string& policies, const std::string& definition = "order") {
        return server_.call(
            Method::post, workflows,
            R"({"definition": ")" + definition + R"(", "businessKey": "7")" + policies + "}");
    }
    std::string status(const std::string& id) { return server_.get(id).text_at("/status"); }
    void end(const std::string& id, Status how) {
        const InstanceId instance = *parse_id<InstanceId>(id);
        auto& world = server_.world;
        if (how == Status::cancelled)
            world.run(op::Cancel{.cause = world.cause(), .instance = instance});
        else if (how == Status::failed)
            world.run(op::Fail{.cause = world.cause(),
                               .instance = instance,
                               .run = {.run = 1, .index = 0},
                               .code = "broken"});
        else
            world.run(op::Finish{
                .cause = world.cause(), .instance = instance, .run = {.run = 1, .index = 0}});
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, StartPolicies, durable_stores(), store_name);

TEST_P(StartPolicies, WithoutOneAKeyMayHaveMany) {
    EXPECT_EQ(start("").status, 201);
    EXPECT_EQ(start("").status, 201);
    EXPECT_EQ(start(R"(, "onOpen": "start")").status, 201);
}

TEST_P(StartPolicies, AnOpenWorkflowRejectsTheStart) {
    const std::string first = start(R"(, "onOpen": "reject")").text_at("/id");
    const Reply taken = start(R"(, "onOpen": "reject")");
    EXPECT_EQ(taken.slug(), "business-key-taken") << taken;
    EXPECT_EQ(taken.text_at("/workflow"), first);
    EXPECT_EQ(taken.text_at("/workflowStatus"), "running");
    EXPECT_EQ(start(R"(, "onOpen": "reject")", "invoice").status, 201) << "another definition";
    end(first, Status::succeeded);
    EXPECT_EQ(start(R"(, "onOpen": "reject")").status, 201);
}

TEST_P(StartPolicies, AnOpenWorkflowIsTheAnswer) {
    const Reply first = start(R"(, "onOpen": "existing")");
    ASSERT_EQ(first.status, 201);
    const Reply again = start(R"(, "onOpen": "existing")");
    EXPECT_EQ(again.status, 200) << again;
    EXPECT_EQ(again.text_at("/id"), first.text_at("/id"));
    EXPECT_EQ(again.at("/state"), first.at("/state"));
}

TEST_P(StartPolicies, TheOpenOnesAreCancelled) {
    const std::string first = start("").text_at("/id");
    const std::string second = start("").text_at("/id");
    const std::string other = start("", "invoice").text_at("/id");
    const Reply third = start(R"(, "onOpen": "cancel")");
    ASSERT_EQ(third.status, 201) << third;
    EXPECT_EQ(status(first), "cancelled");
    EXPECT_EQ(status(second), "cancelled");
    EXPECT_EQ(status(third.text_at("/id")), "running");
    EXPECT_EQ(status(other), "running");
}

TEST_P(StartPolicies, AnEndedWorkflowRejectsTheStartOrOnlyIfItSucceeded) {
    const std::string first = start("").text_at("/id");
    end(first, Status::failed);
    EXPECT_EQ(start(R"(, "onClosed": "reject")").text_at("/workflowStatus"), "failed");
    const std::string second = start(R"(, "onClosed": "afterFailure")").text_at("/id");
    end(second, Status::cancelled);
    const std::string third = start(R"(, "onClosed": "afterFailure")").text_at("/id");
    end(third, Status::succeeded);
    EXPECT_EQ(start(R"(, "onClosed": "afterFailure")").text_at("/workflowStatus"), "succeeded");
    EXPECT_EQ(start(R"(, "onClosed": "start")").status, 201);
}

TEST_P(StartPolicies, InOneRoundTheSecondFindsTheFirst) {
    std::vector<op::Start> starts;
    for (int i = 0; i < 5; ++i)
        starts.push_back({.cause = server_.world.cause(),
                          .definition = "order",
                          .business = {.key = "batch", .parts = {}},
                          .on_open = op::OnOpen::existing});
    std::set<InstanceId> ids;
    for (const auto& outcome : server_.world.coordinator->run_all(std::move(starts)))
        std::visit(
            [&]<class One>(const One& one) {
                if constexpr (requires { one.instance.id; }) ids.insert(one.instance.id);
            },
            *outcome);
    EXPECT_EQ(ids.size(), 1u);
}

TEST_P(StartPolicies, WhatIsWrongIsSaid) {
    EXPECT_EQ(start(R"(, "onOpen": "maybe")").slug(), "invalid-argument");
    EXPECT_EQ(start(R"(, "onClosed": "cancel")").slug(), "invalid-argument");
    EXPECT_EQ(
        server_.call(Method::post, workflows, R"({"definition": "order", "onOpen": "reject"})")
            .slug(),
        "invalid-argument")
        << "without a business key";
}

}  // namespace
}  // namespace holdfast::testing
