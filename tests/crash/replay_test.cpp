// The trace of a real server can be replayed: every operation has the same outcome.
#include "sim/replay.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <thread>

#include "http/wire/client_connection.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using http::Method;

struct Action {
    Method method = Method::post;
    std::string path;
    std::string body = "{}";
    std::string version = {};  // for If-Match
    std::string type = "application/json";
};

// One client that acts at random as runners, senders and operators do, independent of the others.
class Visitor {
public:
    Visitor(const std::string& url, std::vector<std::string> ids, unsigned seed)
        : connection_(*http::ClientConnection::to(url)), ids_(std::move(ids)), random_(seed) {}

    void act() {
        const std::string id = ids_[pick(ids_.size())];
        const bj::value seen = ask({Method::get, "/api/v1/workflows/" + id, ""});
        const std::string version = "\"" + bj::serialize(seen.at("version")) + "\"";
        const std::string place = R"("run": )" + bj::serialize(seen.at("run")) + R"(, "index": )" +
                                  bj::serialize(seen.at("index"));
        const Action action = choose(id, version, place);
        const bj::value answer = ask(action);
        if (action.path.ends_with("/events/rare") && answer.as_object().contains("id"))
            dead_ = answer.at("id").as_string();
    }

private:
    std::size_t pick(std::size_t n) { return random_() % n; }
    std::string name() { return pick(2) ? "paid" : "rare"; }

    Action choose(const std::string& id, const std::string& version, const std::string& place) {
        const std::string at = "/api/v1/workflows/" + id;
        const std::string number = std::to_string(pick(100));
        const std::string index = place.substr(place.rfind(' ') + 1);
        const std::string other = ids_[pick(ids_.size())];  // an instance may not wait for itself
        switch (pick(16)) {
            case 0:
            case 1:
                return {.path = at + "/wait",
                        .body = "{" + place + R"(, "names": [")" + name() + "\"]}"};
            case 2: return {.path = at + "/wait", .body = "{" + place + R"(, "after": "PT0.02S"})"};
            case 3:
                if (other == id) return {.path = at + "/pause", .body = "", .version = version};
                return {.path = at + "/wait",
                        .body = "{" + place + R"(, "workflows": [")" + other + "\"]}"};
            case 4:
            case 5:
                return {.path = at + "/events/" + name(),
                        .body = R"({"value": )" + number + R"(, "onTargetEnded": "deadLetter"})"};
            case 6:
                return {.path = "/api/v1/events/" + name(),
                        .body = R"({"value": 1, "expireAfter": "PT0.02S"})"};
            case 7:
                return {.path = "/api/v1/events/" + name(),
                        .body = R"({"value": 1, "fanOut": "all"})"};
            case 8:
            case 9:
                return {.method = Method::put,
                        .path = at + "/steps/" + index,
                        .body = "{" + place.substr(0, place.find(',')) +
                                R"(, "name": "s", "inputHash": ")" + std::string(64, 'a') +
                                R"(", "value": )" + number + "}"};
            case 10:
                return {.method = Method::patch,
                        .path = at + "/state",
                        .body = R"({"n": )" + number + "}",
                        .version = version,
                        .type = "application/merge-patch+json"};
            case 11: return {.path = at + "/pause", .body = "", .version = version};
            case 12: return {.path = at + "/resume", .body = "", .version = version};
            case 13:
                return {.path = at + "/checkpoints", .body = R"({"name": "c)" + number + "\"}"};
            case 14:
                if (!dead_.empty()) return {.path = "/api/v1/dead-events/" + dead_ + "/replay"};
                return {.path = at + "/continue-as", .body = "{" + place + "}"};
            default:
                if (pick(2)) return {.path = at + "/cancel", .body = R"({"reason": "r"})"};
                return {.path = at + "/complete", .body = "{" + place + R"(, "result": 1})"};
        }
    }

    bj::value ask(const Action& action) {
        http::Headers headers;
        if (!action.body.empty()) headers.add("Content-Type", action.type);
        if (!action.version.empty()) headers.add("If-Match", action.version);
        const auto response =
            connection_.exchange(action.method, action.path, headers, action.body);
        if (!response) throw std::runtime_error(response.error().message);
        const int status = response->status;
        if (status >= 400 && status != 404 && status != 409)
            refused_.insert(std::to_string(status) + " " + action.path);
        return response->body.empty() ? bj::value(bj::object{}) : bj::parse(response->body);
    }

public:
    std::set<std::string> refused_;  // for another reason than the current state

private:
    http::ClientConnection connection_;
    const std::vector<std::string> ids_;
    std::mt19937 random_;
    std::string dead_;
};

std::vector<std::string> some_workflows(const std::string& url) {
    ServerClient client(url);
    EXPECT_LT(client.define("order", R"({"schema": {"type": "object"}})")->status, 300);
    std::vector<std::string> ids;
    for (int i = 0; i < 60; ++i)
        ids.push_back(client.must_start({.definition = "order",
                                         .state = bj::object{{"n", 0}},
                                         .idempotency_key = "key-" + std::to_string(i / 2)}));
    return ids;
}

// The trace of a server that was used by four visitors and restarted in between.
std::string traced() {
    const StorePlace place("sqlite");
    const std::string file = place.url().substr(7) + ".trace";
    ServerProcess server(place.url(), {"--trace-rounds", file});
    const std::vector<std::string> ids = some_workflows(server.url());
    for (unsigned start = 0; start < 2; ++start) {
        std::vector<std::jthread> threads;
        for (unsigned i = 0; i < 4; ++i)
            threads.emplace_back([&, i] {
                Visitor visitor(server.url(), ids, 4 * start + i);
                for (int n = 0; n < 150; ++n) visitor.act();
                for (const std::string& path : visitor.refused_) ADD_FAILURE() << path;
            });
        threads.clear();
        EXPECT_EQ(server.terminate(), 0);
        if (start == 0) server.restart();
    }
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(Replay, GivesTheOutcomesThatARealServerGave) {
    const std::string trace = traced();
    std::istringstream lines(trace);
    const auto report = sim::replay(lines);
    ASSERT_TRUE(report.has_value()) << report.error().message;
    EXPECT_EQ(report->failed, 0u) << report->differences.front();
    EXPECT_GT(report->passed, 1'000u);
    for (const char* outcome : {"suspended", "delivered", "queued", "fired", "recorded", "edited",
                                "finished", "cancelled", "paused", "fannedOut"})
        EXPECT_TRUE(trace.contains("\"outcome\":\"" + std::string(outcome) + "\"")) << outcome;

    std::string bent = trace;
    const std::string word = R"("outcome":"queued")";
    bent.replace(bent.find(word), word.size(), R"("outcome":"fannedOut")");
    std::istringstream bent_lines(bent);
    EXPECT_EQ(sim::replay(bent_lines)->failed, 1u) << "a difference shows";
    std::istringstream no_lines("{}\n");
    EXPECT_EQ(sim::replay(no_lines).error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace holdfast::testing
