// Requests that arrive before the response of an earlier one.
#include <gtest/gtest.h>

#include <deque>
#include <mutex>

#include "base/threads/threads.h"
#include "http/wire/server.h"
#include "raw_client.h"
#include "support/eventually.h"
#include "support/runner_api.h"

namespace holdfast::http {
namespace {

using namespace std::chrono_literals;
using holdfast::testing::eventually;

// Holds every request until the test answers it.
class HoldingServer {
public:
    explicit HoldingServer(ServerOptions options = {})
        : server_(
              std::move(options), [](Request&) { return std::nullopt; },
              [this](Request request, Respond respond) {
                  const std::lock_guard lock(mutex_);
                  held_.emplace_back(request.target, std::move(respond));
              }) {
        EXPECT_TRUE(server_.start());
    }
    ~HoldingServer() { server_.stop(0ms); }

    std::uint16_t port() const { return server_.port(); }
    void stop() { server_.stop(20s); }
    std::size_t begun() {
        const std::lock_guard lock(mutex_);
        return held_.size();
    }
    bool begins(std::size_t count) {
        return eventually([&] { return begun() == count; });
    }
    // With its target as the body.
    void answer(std::size_t at) {
        std::unique_lock lock(mutex_);
        auto& [target, respond] = held_.at(at);
        Respond taken = std::move(respond);
        lock.unlock();
        taken({200, {}, target});
    }
    bool is_gone(std::size_t at) {
        const std::lock_guard lock(mutex_);
        return held_.at(at).second.gone().stop_requested();
    }

private:
    std::mutex mutex_;
    std::deque<std::pair<std::string, Respond>> held_;
    Server server_;
};

std::string get(int number) {
    return "GET /" + std::to_string(number) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}
std::string post(int number, const std::string& body = {}) {
    return "POST /" + std::to_string(number) +
           " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body;
}
bool answers(RawClient& client, int number) {
    return client.read_response().ends_with("\r\n\r\n/" + std::to_string(number));
}

TEST(Pipeline, RequestsOfOneKindBeginAtOnceAndAreAnsweredInTheirOrder) {
    for (const bool reads : {true, false}) {
        HoldingServer server;
        RawClient client(server.port());
        std::string bytes;
        for (int i = 0; i < 3; ++i) bytes += reads ? get(i) : post(i, "x");
        client.send(bytes);
        ASSERT_TRUE(server.begins(3));
        server.answer(2);
        server.answer(1);
        EXPECT_FALSE(client.has_response()) << "the first is not answered";
        server.answer(0);
        for (int i = 0; i < 3; ++i) EXPECT_TRUE(answers(client, i)) << i;
    }
}

TEST(Pipeline, AReadBehindAChangeWaitsForItAndTheOtherWayRound) {
    HoldingServer server;
    RawClient client(server.port());
    client.send(post(0) + post(1) + get(2) + post(3));
    ASSERT_TRUE(server.begins(2));
    server.answer(0);
    EXPECT_TRUE(answers(client, 0));
    EXPECT_EQ(server.begun(), 2u);
    server.answer(1);
    ASSERT_TRUE(server.begins(3));
    EXPECT_TRUE(answers(client, 1));
    EXPECT_EQ(server.begun(), 3u);
    server.answer(2);
    ASSERT_TRUE(server.begins(4));
    server.answer(3);
    EXPECT_TRUE(answers(client, 2));
    EXPECT_TRUE(answers(client, 3));
}

TEST(Pipeline, OnlySoManyBeginAtOnce) {
    HoldingServer server;
    RawClient client(server.port());
    std::string bytes;
    for (int i = 0; i < 100; ++i) bytes += get(i);
    client.send(bytes);
    ASSERT_TRUE(server.begins(32));
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(eventually([&] { return server.begun() > static_cast<std::size_t>(i); }));
        EXPECT_LE(server.begun(), 32u + static_cast<std::size_t>(i));
        server.answer(static_cast<std::size_t>(i));
        ASSERT_TRUE(answers(client, i));
    }
}

TEST(Pipeline, LargeBodiesBeginOneAfterTheOther) {
    HoldingServer server;
    RawClient client(server.port());
    const std::string large(100'000, 'x');
    client.send(post(0, large) + post(1, large));
    ASSERT_TRUE(server.begins(1));
    server.answer(0);
    ASSERT_TRUE(server.begins(2));
    server.answer(1);
    EXPECT_TRUE(answers(client, 0));
    EXPECT_TRUE(answers(client, 1));
}

TEST(Pipeline, AClientThatLeavesIsGoneForAllOfThem) {
    HoldingServer server;
    {
        RawClient client(server.port());
        client.send(get(0) + get(1));
        ASSERT_TRUE(server.begins(2));
        EXPECT_FALSE(server.is_gone(0));
    }
    EXPECT_TRUE(eventually([&] { return server.is_gone(0) && server.is_gone(1); }));
}

TEST(Pipeline, AClientThatEndsItsSideGetsAllResponses) {
    HoldingServer server;
    RawClient client(server.port());
    client.send(post(0) + get(1));
    client.end_sending();
    ASSERT_TRUE(server.begins(1));
    server.answer(0);
    ASSERT_TRUE(server.begins(2));
    server.answer(1);
    EXPECT_TRUE(answers(client, 0));
    EXPECT_TRUE(client.read_until_closed().ends_with("/1"));
}

TEST(Pipeline, ASlowHeadBehindOthersTimesOutAfterTheirResponses) {
    ServerOptions options;
    options.head_time = 50ms;
    HoldingServer server(options);
    RawClient client(server.port());
    client.send(get(0) + "GET /1 HTT");
    ASSERT_TRUE(server.begins(1));
    server.answer(0);
    EXPECT_TRUE(answers(client, 0));
    EXPECT_TRUE(client.read_until_closed().starts_with("HTTP/1.1 408"));
}

TEST(Pipeline, AStopLetsWhatHasBegunFinish) {
    HoldingServer server;
    RawClient idle(server.port());
    RawClient client(server.port());
    client.send(get(0) + get(1) + post(2));
    ASSERT_TRUE(server.begins(2));
    const auto stopping = named_thread("stops", [&](const std::stop_token&) { server.stop(); });
    EXPECT_EQ(idle.read_until_closed(), "");  // by now the server is stopping
    server.answer(1);
    server.answer(0);
    EXPECT_TRUE(answers(client, 0));
    const std::string last = client.read_until_closed();
    EXPECT_TRUE(last.ends_with("/1"));
    EXPECT_TRUE(last.contains("Connection: close\r\n"));
    EXPECT_EQ(server.begun(), 2u);
}

TEST(Pipeline, ChangesShareARound) {
    holdfast::testing::ApiServer server("sqlite");
    const std::string path = holdfast::testing::ApiServer::path_of(server.start_id());
    const auto rounds = [&] { return server.metric("holdfast_commits_total"); };
    const double before = rounds();
    RawClient client(server.port());
    std::string bytes;
    const std::string body = R"({"value": 1})";
    for (int i = 0; i < 30; ++i)
        bytes +=
            "POST " + path + "/events/paid HTTP/1.1\r\nHost: localhost\r\n" +
            "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
            "\r\n\r\n" + body;
    client.send(bytes);
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(client.read_response().starts_with("HTTP/1.1 2")) << i;
    EXPECT_LT(rounds() - before, 30);
}

}  // namespace
}  // namespace holdfast::http
