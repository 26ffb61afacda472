// Two servers on one PostgreSQL: long polls of one are answered by what the other commits, and a
// notification that is lost never makes them answer that nothing happened.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <future>

#include "support/eventually.h"
#include "support/private_postgres.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/tcp_proxy.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

// The first server commits; the second, whose notifications pass the proxy, is polled.
class PollsAcrossNodes : public ::testing::Test {
protected:
    PollsAcrossNodes() {
        // From now on it announces what it commits.
        EXPECT_TRUE(
            eventually([&] { return writer_.metric("holdfast_announcements_heard_total") > 0; }));
        EXPECT_LT(writer_.define("order")->status, 300);
        workflow_ = "/api/v1/workflows/" +
                    writer_.must_start({.definition = "order", .state = bj::object{}});
    }

    void suspend() {
        EXPECT_EQ(post("/wait", R"({"run": 1, "index": 0, "names": ["paid"]})"), "suspended");
    }
    std::string post(const std::string& route, const std::string& body) {
        const auto reply = writer_.post(workflow_ + route, body);
        if (!reply || reply->status >= 300) return "refused";
        const auto* outcome = reply->body.as_object().if_contains("outcome");
        return outcome ? std::string(outcome->as_string()) : "accepted";
    }
    // Polls the second server; returns once its poll is open.
    std::future<ServerReply> poll(const std::string& route) {
        auto answer = std::async(std::launch::async, [this, route] {
            return ServerClient(polled_.url()).get(workflow_ + route).value();
        });
        ServerClient watcher(polled_.url());
        EXPECT_TRUE(eventually([&] { return watcher.metric("holdfast_long_polls") == 1; }));
        return answer;
    }
    double heard_by_polled() {
        return ServerClient(polled_.url()).metric("holdfast_announcements_heard_total");
    }
    static std::string member(const ServerReply& reply, const char* name) {
        return std::string(reply.body.at(name).as_string());
    }

    PrivatePostgres database_;
    TcpProxy proxy_{database_.directory()};
    ServerProcess committing_{database_.url()};
    ServerProcess polled_{proxy_.url("postgres")};
    ServerClient writer_{committing_.url()};
    std::string workflow_;
};

// A client waits 30 s for its answer, less than the polls of a minute.
TEST_F(PollsAcrossNodes, AWaitIsAnsweredByTheDeliveryOnAnotherNode) {
    suspend();
    auto answer = poll("/wait?index=0&timeout=60s");
    const double heard = heard_by_polled();
    EXPECT_EQ(post("/events/paid", R"({"value": 5})"), "delivered");
    EXPECT_EQ(member(answer.get(), "outcome"), "delivered");
    EXPECT_GT(heard_by_polled(), heard) << "nothing else has it read again";
}

TEST_F(PollsAcrossNodes, AResultIsAnsweredByTheEndOnAnotherNode) {
    auto answer = poll("/result?timeout=60s");
    const double heard = heard_by_polled();
    EXPECT_EQ(post("/complete", R"({"run": 1, "index": 0, "result": 7})"), "accepted");
    const ServerReply reply = answer.get();
    EXPECT_GT(heard_by_polled(), heard);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(member(reply, "status"), "succeeded");
}

TEST_F(PollsAcrossNodes, AWaitWhoseNotificationIsLostIsNotSaidToBeSuspended) {
    proxy_.set(Notifications::dropped);
    suspend();
    auto answer = poll("/wait?index=0&timeout=2s");
    EXPECT_EQ(post("/events/paid", R"({"value": 5})"), "delivered");
    EXPECT_EQ(member(answer.get(), "outcome"), "delivered");
    EXPECT_TRUE(eventually([&] { return proxy_.dropped() > 0; }));
}

TEST_F(PollsAcrossNodes, AResultWhoseNotificationIsLostIsNotSaidToBeOpen) {
    proxy_.set(Notifications::dropped);
    auto answer = poll("/result?timeout=2s");
    EXPECT_EQ(post("/complete", R"({"run": 1, "index": 0, "result": 7})"), "accepted");
    EXPECT_EQ(answer.get().status, 200);
    EXPECT_TRUE(eventually([&] { return proxy_.dropped() > 0; }));
}

}  // namespace
}  // namespace holdfast::testing
