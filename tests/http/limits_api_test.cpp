// Limits of definitions over HTTP.
#include <gtest/gtest.h>

#include "support/api_server.h"

namespace holdfast::testing {
namespace {

const std::string scarce = "/api/v1/definitions/scarce";

class LimitsApi : public DurableApi {
protected:
    Reply put(const std::string& limits) {
        return server_.call(Method::put, scarce, R"({"limits": )" + limits + "}");
    }
    Reply start(const std::string& more = "") {
        return server_.call(Method::post, workflows, R"({"definition": "scarce")" + more + "}");
    }
    Reply why(const std::string& id) {
        return server_.call(Method::get, workflows + "/" + id + "?include=why");
    }
};
INSTANTIATE_TEST_SUITE_P(Stores, LimitsApi, durable_stores(), store_name);

TEST_P(LimitsApi, AreSetShownAndUnset) {
    const Reply created =
        put(R"({"concurrency": 5, "rate": "100/60s", "burst": 10, "key": "state.customer.id"})");
    ASSERT_EQ(created.status, 201) << created;
    EXPECT_EQ(created.at("/limits"), json_of(R"({"concurrency": 5, "rate": "100/1m", "burst": 10,
                          "key": "state.customer.id"})"));
    EXPECT_EQ(server_.call(Method::get, scarce).at("/limits"), created.at("/limits"));
    EXPECT_EQ(put(boost::json::serialize(created.at("/limits"))).status, 200) << "the same";
    const Reply unset = put("{}");
    EXPECT_EQ(unset.status, 201);
    EXPECT_FALSE(unset.body.as_object().contains("limits")) << unset;
    EXPECT_EQ(put(R"({"rate": "5/s"})").at("/limits/rate"), "5/1s");
}

TEST_P(LimitsApi, ThatAreWrongAreRefused) {
    for (const char* wrong : {"7",
                              "[]",
                              R"({"concurrency": 0})",
                              R"({"concurrency": 1001})",
                              R"({"concurrency": -1})",
                              R"({"concurrency": 1.5})",
                              R"({"concurrency": "2"})",
                              R"({"rate": "0/1m"})",
                              R"({"rate": "fast"})",
                              R"({"rate": "1/0s"})",
                              R"({"rate": "1/-1s"})",
                              R"({"rate": "1000001/1s"})",
                              R"({"rate": "10/1ms2"})",
                              R"({"rate": "1/53w"})",
                              R"({"rate": 5})",
                              R"({"burst": 2})",
                              R"({"key": "businessKey"})",
                              R"({"concurrency": 1, "key": "state"})",
                              R"({"concurrency": 1, "key": "state.a b"})",
                              R"({"concurrency": 1, "key": "other.x"})",
                              R"({"concurrency": 1, "key": 7})",
                              R"({"concurency": 1})"}) {
        const Reply refused = put(wrong);
        EXPECT_EQ(refused.slug(), "invalid-argument") << wrong << refused;
    }
    EXPECT_EQ(server_.call(Method::get, scarce).status, 404);
    EXPECT_EQ(start(R"(, "priority": 10)").slug(), "invalid-argument");
    EXPECT_EQ(start(R"(, "priority": -1)").slug(), "invalid-argument");
}

TEST_P(LimitsApi, SayWhoWaitsBehindHowMany) {
    put(R"({"concurrency": 1})");
    const Reply first = start();
    const Reply second = start(R"(, "arguments": [7])");
    const Reply third = start();
    EXPECT_EQ(first.text_at("/status"), "running");
    EXPECT_EQ(second.text_at("/status"), "suspended");
    const Reply waits = why(third.text_at("/id"));
    EXPECT_EQ(waits.number_at("/why/turn/behind"), 1u) << waits;
    EXPECT_EQ(waits.number_at("/why/turn/running"), 1u);
    EXPECT_EQ(waits.at("/why/turn/limits"), json_of(R"({"concurrency": 1})"));
    EXPECT_EQ(why(second.text_at("/id")).number_at("/why/turn/behind"), 0u);
    EXPECT_TRUE(why(first.text_at("/id")).at("/why/turn").is_null());
    const std::string limiter = waits.text_at("/why/turn/limiter");
    EXPECT_EQ(server_.get(limiter).text_at("/definition"), "holdfast.limiter");
    EXPECT_EQ(start(R"(, "priority": 9)").status, 201);
    EXPECT_EQ(why(third.text_at("/id")).number_at("/why/turn/behind"), 2u);
}

TEST_P(LimitsApi, KeepOutsidersFromWhoWaits) {
    put(R"({"concurrency": 1})");
    start();
    const std::string id = start().text_at("/id");
    EXPECT_EQ(server_
                  .call(Method::post, workflows + "/" + id + "/complete",
                        R"({"run": 1, "index": 0, "result": null})")
                  .status,
              409);
    EXPECT_EQ(server_
                  .call(Method::post, "/api/v1/events",
                        R"({"name": "process/turn", "target": ")" + id + R"(", "value": 1})")
                  .slug(),
              "invalid-argument");
    EXPECT_EQ(server_.call(Method::put, "/api/v1/definitions/holdfast.limiter", "{}").slug(),
              "invalid-argument");
    EXPECT_EQ(server_.call(Method::post, workflows, R"({"definition": "holdfast.limiter"})").slug(),
              "invalid-argument");
    EXPECT_EQ(server_.call(Method::post, workflows + "/" + id + "/cancel", "{}").status, 200);
}

}  // namespace
}  // namespace holdfast::testing
