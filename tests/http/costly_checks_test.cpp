// Schemas and patches that take long to check or to apply: other writes do not wait for them.
#include <gtest/gtest.h>

#include <latch>

#include "raw_client.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using Steady = std::chrono::steady_clock;

class CostlyChecks : public DurableApi {
protected:
    // Sends a PATCH and does not wait for the response.
    void send_patch(http::RawClient& client, const std::string& id, const std::string& type,
                    const std::string& body) const {
        client.send("PATCH " + ApiServer::path_of(id) + "/state HTTP/1.1\r\nHost: localhost\r\n" +
                    "If-Match: \"1\"\r\nContent-Type: " + type +
                    "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }
    // Other writes, while the first one is handled.
    void expect_quick_writes() {
        const auto began = Steady::now();
        for (int i = 0; i < 3; ++i) server_.start_id(R"({"n": 1})");
        EXPECT_LT(Steady::now() - began, 3s);
    }
};

TEST_P(CostlyChecks, APatternIsMatchedOutsideOfTheRounds) {
    const std::string pattern = R"({"pattern": "(x?y?z?){300}(a|aa|b|bb){300}c"})";
    std::string schema = R"({"schema": {"properties": {)";
    for (int i = 0; i < 8; ++i)
        schema += (i ? ", \"t" : "\"t") + std::to_string(i) + "\": " + pattern;
    const Reply defined = server_.call(Method::put, "/api/v1/definitions/texts", schema + "}}}");
    ASSERT_EQ(defined.status, 201) << defined;
    const Reply started = server_.call(Method::post, workflows, R"({"definition": "texts"})");
    ASSERT_EQ(started.status, 201) << started;
    std::string texts;
    for (int i = 0; i < 8; ++i)
        texts +=
            (i ? ", \"t" : "\"t") + std::to_string(i) + R"(": ")" + std::string(100'000, 'a') + '"';
    http::RawClient client(server_.port());
    send_patch(client, started.text_at("/id"), "application/merge-patch+json", "{" + texts + "}");
    expect_quick_writes();
    client.end_sending();
    const std::string response = client.read_until_closed();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 422 ")) << response.substr(0, 500);
    EXPECT_NE(response.find("too long"), std::string::npos) << response.substr(0, 500);
}

TEST_P(CostlyChecks, APatchIsAppliedOutsideOfTheRounds) {
    const std::string id = server_.start_id(R"({"list": [)" + repeated("0,", 90'000) + "0]}");
    const std::string step =
        R"({"op":"move","from":"/list","path":"/x"},{"op":"move","from":"/x","path":"/list"})";
    std::string patch = "[" + step;
    for (int i = 0; i < 9'000; ++i) patch += "," + step;
    http::RawClient client(server_.port());
    send_patch(client, id, "application/json-patch+json", patch + "]");
    expect_quick_writes();
    client.end_sending();
    const std::string response = client.read_until_closed();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 422 ")) << response.substr(0, 500);
    EXPECT_NE(response.find("too long"), std::string::npos) << response.substr(0, 500);
}

// All threads that compile are held: a deployment waits for them, other requests do not.
TEST_P(CostlyChecks, AModelIsCompiledOutsideOfTheThreadOfTheConnections) {
    constexpr int threads = 2;
    std::latch held(threads + 1);
    std::latch go(1);
    std::latch left(threads);  // nobody uses the latches any more
    for (int i = 0; i < threads; ++i)
        ASSERT_TRUE(server_.world.coordinator->compute([&] {
            held.arrive_and_wait();
            go.wait();
            left.count_down();
        }));
    held.arrive_and_wait();
    const std::string xml =
        "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL' targetNamespace='t'>"
        "<process id='p' isExecutable='true'><startEvent id='s'/><endEvent id='e'/>"
        "<sequenceFlow id='f' sourceRef='s' targetRef='e'/></process></definitions>";
    http::RawClient client(server_.port());
    client.send(
        "POST /api/v1/definitions HTTP/1.1\r\nHost: localhost\r\n"
        "Content-Type: application/xml\r\nContent-Length: "s +
        std::to_string(xml.size()) + "\r\n\r\n" + xml);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(server_.call(Method::get, "/api/v1/definitions/p").status, 404);
    EXPECT_FALSE(client.has_response());
    go.count_down();
    const std::string response = client.read_response();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 201 ")) << response.substr(0, 500);
    left.wait();
}

INSTANTIATE_TEST_SUITE_P(Stores, CostlyChecks, durable_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
