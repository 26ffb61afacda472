// Hostile and mistaken requests about events and runners: each gets its 4xx as a problem document
// and leaves no trace.
#include <gtest/gtest.h>

#include "raw_client.h"
#include "support/runner_api.h"

namespace holdfast::testing {
namespace {

using namespace std::string_literals;

const std::string hash(64, 'a');

class BadEventInput : public RunnerApi {
protected:
    // One of each: a waiting workflow, a queued event, a dead event, a step.
    BadEventInput() : id_(server_.start_id()), dead_(dead_event()) {
        step(id_, 0, "charge");
        wait_for(id_, 1, "paid");
        other_ = server_.start_id();
        send(other_, "queued");
    }

    struct Attack {
        int status;
        Method method;
        std::string target;
        std::string body = {};
        Fields headers = {};
    };

    void expect_all_refused(const std::vector<Attack>& attacks) {
        const std::string before = fingerprint(server_);
        for (const Attack& attack : attacks) {
            const Reply reply =
                server_.call(attack.method, attack.target, attack.body, attack.headers);
            SCOPED_TRACE(std::string(name_of(attack.method)) + ' ' + attack.target.substr(0, 300) +
                         ' ' + attack.body.substr(0, 300));
            EXPECT_EQ(reply.status, attack.status) << reply;
            EXPECT_EQ(reply.header("Content-Type"), "application/problem+json");
            EXPECT_TRUE(reply.text_at("/type").starts_with("/problems/"));
            EXPECT_FALSE(reply.text_at("/detail").empty());
        }
        EXPECT_EQ(fingerprint(server_), before);
    }
    void expect_bodies_refused(Method method, const std::vector<std::string>& targets,
                               const std::vector<std::string>& bodies) {
        std::vector<Attack> attacks;
        for (const std::string& target : targets)
            for (const std::string& body : bodies) attacks.push_back({400, method, target, body});
        expect_all_refused(attacks);
    }
    std::string at(const std::string& rest) const { return path(id_, rest); }

    std::string id_;     // waits for "paid" at index 1
    std::string dead_;   // an event
    std::string other_;  // runs, with an event queued
};

INSTANTIATE_TEST_SUITE_P(Stores, BadEventInput, durable_stores(), store_name);

TEST_P(BadEventInput, InvalidNamesAreRefused) {
    std::vector<Attack> attacks;
    for (const std::string& name : {std::string(257, 'n'), "%0A"s, "a%1Fb"s, "%7F"s, "%C2%85"s,
                                    "%00"s, "%FF"s, "%C0%AF"s, "%ED%A0%80"s}) {
        attacks.push_back({400, Method::post, at("/events/" + name), "{}"});
        attacks.push_back({400, Method::post, "/api/v1/events/" + name, "{}"});
        attacks.push_back({400, Method::get, "/api/v1/pending-events?name=" + name});
    }
    for (const char* not_in_a_path : {"a%2Fb", "a%5Cb", "%2E%2E", "a;b"})
        attacks.push_back({400, Method::post, "/api/v1/events/"s + not_in_a_path, "{}"});
    for (const std::string& name : {""s, std::string(257, 'n'), "a\\nb"s, "\\u0001"s, "\\u007f"s,
                                    "\\u0085"s, "\\u0000"s, "\xff"s, "\\ud800"s}) {
        const std::string body = "{\"name\": \"" + name + "\"}";
        attacks.push_back({400, Method::post, at("/events"), body});
        attacks.push_back({400, Method::post, "/api/v1/events", body});
        attacks.push_back({400, Method::post, at("/wait"),
                           R"({"run": 1, "index": 1, "names": [")" + name + "\"]}"});
        attacks.push_back(
            {400, Method::put, path(other_, "/steps/0"),
             R"({"run": 1, "inputHash": ")" + hash + R"(", "value": 1, "name": ")" + name + "\"}"});
    }
    expect_all_refused(attacks);
    EXPECT_EQ(broadcast(std::string(256, 'n')).status, 202);
}

TEST_P(BadEventInput, BodiesOfEventsAreReadStrictly) {
    expect_bodies_refused(Method::post, {at("/events/paid"), "/api/v1/events/paid"},
                          {"[]",
                           "7",
                           "null",
                           "{",
                           R"({"nmae": "x"})",
                           R"({"name": "paid"})",
                           R"({"Value": 1})",
                           R"({"value": 1, "value": 2})",
                           R"({"value": "\u0000"})",
                           R"({"id": 7})",
                           R"({"id": ""})",
                           R"({"id": "x"})",
                           R"({"id": "00000000-0000-0000-0000-000000000000"})",
                           R"({"id": "01890a5dac96774bbcceb302099a8057"})",
                           R"({"expireAfter": 10})",
                           R"({"onTargetEnded": "drop"})",
                           R"({"onTargetEnded": 1})",
                           R"({"onTargetEnded": "DISCARD"})",
                           R"({"fanOut": "both"})",
                           R"({"fanOut": true})",
                           R"({"keep": "yes"})",
                           R"({"keep": 1})"});
    expect_bodies_refused(Method::post, {at("/events"), "/api/v1/events"},
                          {"{}", R"({"name": null})", R"({"name": 7})", R"({"name": ["paid"]})",
                           R"({"name": "paid", "extra": 1})"});
}

TEST_P(BadEventInput, DurationsThatMakeNoSenseAreRefused) {
    std::vector<Attack> attacks;
    for (const char* text : {"-5s", "0s", "PT0S", "-PT5S", "11y", "P11Y", "4000d", "P4000D",
                             "99999999999999999999h", "10", "soon", "", " 5s", "1e3s", "NaN"}) {
        const std::string quoted = "\"" + std::string(text) + "\"";
        attacks.push_back(
            {400, Method::post, "/api/v1/events/paid", R"({"expireAfter": )" + quoted + "}"});
        attacks.push_back(
            {400, Method::post, at("/wait"), R"({"run": 1, "index": 1, "after": )" + quoted + "}"});
    }
    for (const char* until :
         {"", "tomorrow", "2026-01-28", "2026-13-01T00:00:00Z", "9999-01-01T00:00:00Z",
          "2026-01-28T10:00:00+01:00", "-2026-01-28T10:00:00Z"})
        attacks.push_back({400, Method::post, at("/wait"),
                           R"({"run": 1, "index": 1, "until": ")" + std::string(until) + "\"}"});
    for (const char* timeout : {"61s", "-1s", "30", "", "1h", "x"})
        attacks.push_back({400, Method::get, at("/wait?index=1&timeout=" + std::string(timeout))});
    expect_all_refused(attacks);
}

TEST_P(BadEventInput, OptionsThatContradictEachOtherAreRefused) {
    std::vector<Attack> attacks;
    attacks.push_back({400, Method::post, at("/events/paid"), R"({"fanOut": "all"})"});
    for (const char* body :
         {R"({"fanOut": "all", "keep": true})", R"({"fanOut": "all", "expireAfter": "1h"})",
          R"({"onTargetEnded": "discard"})", R"({"onTargetEnded": "deadLetter"})"})
        attacks.push_back({400, Method::post, "/api/v1/events/paid", body});
    attacks.push_back({400,
                       Method::post,
                       at("/events/paid"),
                       R"({"id": ")" + std::string(nobody) + "\"}",
                       {{"Idempotency-Key", "k"}}});
    expect_all_refused(attacks);
}

TEST_P(BadEventInput, HeadersThatAreWrongOrAmbiguousAreRefused) {
    std::vector<Attack> attacks;
    for (const Fields& headers :
         std::vector<Fields>{{{"Idempotency-Key", ""}},
                             {{"Idempotency-Key", "a b"}},
                             {{"Idempotency-Key", std::string(256, 'k')}},
                             {{"Idempotency-Key", "a"}, {"Idempotency-Key", "b"}},
                             {{"X-User-Id", ""}},
                             {{"X-Correlation-Id", "a b"}}}) {
        attacks.push_back({400, Method::post, at("/events/paid"), "{}", headers});
        attacks.push_back(
            {400, Method::post, "/api/v1/dead-events/" + dead_ + "/replay", "{}", headers});
    }
    for (const char* route : {"/pause", "/resume"})
        for (const char* match : {"", "W/\"1\"", "\"1\", \"2\"", "x", "-1"})
            attacks.push_back({400, Method::post, at(route), "", {{"If-Match", match}}});
    attacks.push_back({400, Method::post, at("/pause"), R"({"x": 1})", {{"If-Match", "*"}}});
    for (const std::string& target : {at("/events/paid"), "/api/v1/events/paid"s, "/api/v1/events"s,
                                      at("/wait"), at("/complete"), at("/fail"), at("/continue-as"),
                                      "/api/v1/dead-events/" + dead_ + "/replay"})
        attacks.push_back({415, Method::post, target, "{}", {{"Content-Type", "text/plain"}}});
    expect_all_refused(attacks);
}

TEST_P(BadEventInput, InvalidIdsAreRefused) {
    std::vector<Attack> attacks;
    for (const std::string& id : {"x"s, "0"s, "01890a5dac96774bbcceb302099a8057"s, id_ + "0",
                                  "%27%20or%201%3D1%20--"s, std::string(4'000, 'a')}) {
        const std::string base = "/api/v1/workflows/" + id;
        for (const char* route : {"/events", "/events/paid"})
            attacks.push_back({400, Method::post, base + route, R"({"name": "paid"})"});
        for (const char* route : {"/wait", "/complete", "/fail", "/continue-as"})
            attacks.push_back({400, Method::post, base + route, R"({"run": 1, "index": 1})"});
        for (const char* route : {"/pause", "/resume"})
            attacks.push_back({400, Method::post, base + route, "", {{"If-Match", "*"}}});
        attacks.push_back({400, Method::get, base + "/wait?index=1"});
        attacks.push_back({400, Method::get, base + "/steps/0"});
        attacks.push_back({400, Method::get, "/api/v1/event-fates/" + id});
        attacks.push_back({400, Method::get, "/api/v1/dead-events/" + id});
        attacks.push_back({400, Method::del, "/api/v1/dead-events/" + id});
        attacks.push_back({400, Method::post, "/api/v1/dead-events/" + id + "/replay"});
        attacks.push_back({400, Method::get, "/api/v1/pending-events?target=" + id});
        attacks.push_back({400, Method::get, "/api/v1/dead-events?target=" + id});
        attacks.push_back({400, Method::post, "/api/v1/dead-events/" + dead_ + "/replay",
                           R"({"workflow": ")" + id + "\"}"});
    }
    expect_all_refused(attacks);
}

TEST_P(BadEventInput, ListsTakeOnlyTheirOwnParameters) {
    std::vector<Attack> attacks;
    for (const char* list : {"/api/v1/pending-events", "/api/v1/dead-events"})
        for (const char* query : {"?limit=0", "?limit=501", "?limit=x", "?cursor=x",
                                  "?cursor=", "?nmae=x", "?name=a&name=a", "?name=", "?target="})
            attacks.push_back({400, Method::get, list + std::string(query)});
    attacks.push_back({400, Method::get, "/api/v1/event-fates/" + dead_ + "?x=1"});
    attacks.push_back({400, Method::post, "/api/v1/events/paid?value=1"});
    attacks.push_back(
        {400, Method::post, "/api/v1/dead-events/" + dead_ + "/replay", R"({"to": 1})"});
    attacks.push_back(
        {400, Method::post, "/api/v1/dead-events/" + dead_ + "/replay", R"({"workflow": 7})"});
    expect_all_refused(attacks);
}

TEST_P(BadEventInput, WaitsAreReadStrictly) {
    std::string crowd = "\"x\"";
    for (int i = 0; i < 64; ++i) crowd += ", \"x" + std::to_string(i) + "\"";
    const auto wait = [](const std::string& rest) {
        return R"({"run": 1, "index": 1, )" + rest + "}";
    };
    expect_bodies_refused(Method::post, {at("/wait")},
                          {"{}",
                           "[]",
                           R"({"run": 1, "names": ["x"]})",
                           R"({"index": 1, "names": ["x"]})",
                           R"({"run": 0, "index": 1, "names": ["x"]})",
                           R"({"run": -1, "index": 1, "names": ["x"]})",
                           R"({"run": 1.5, "index": 1, "names": ["x"]})",
                           R"({"run": "1", "index": 1, "names": ["x"]})",
                           R"({"run": 1, "index": -1, "names": ["x"]})",
                           R"({"run": 1, "index": 9007199254740992, "names": ["x"]})",
                           R"({"run": 1, "index": 1})",
                           wait(R"("names": [])"),
                           wait(R"("names": "x")"),
                           wait(R"("names": [1])"),
                           wait(R"("names": ["x", "x"])"),
                           wait("\"names\": [" + crowd + "]"),
                           wait(R"("workflows": ["x"])"),
                           wait(R"("workflows": [")" + id_ + "\"]"),
                           wait(R"("workflows": [")" + other_ + "\", \"" + other_ + "\"]"),
                           wait(R"("names": ["x"], "since": "yesterday")"),
                           wait(R"("names": ["x"], "since": 1)"),
                           wait(R"("until": "2026-01-28T10:00:00Z", "after": "1s")"),
                           wait(R"("until": 5)"),
                           wait(R"("after": 5)"),
                           wait(R"("names": ["x"], "timeout": "1s")")});
    std::vector<Attack> polls;
    for (const char* query : {"", "?index=", "?index=x", "?index=-1", "?index=1&index=1",
                              "?index=1&run=x", "?index=1&wait=5s", "?index=99999999999999999999"})
        polls.push_back({400, Method::get, at("/wait" + std::string(query))});
    expect_all_refused(polls);
}

TEST_P(BadEventInput, StepsAreReadStrictly) {
    const auto body = [](const std::string& rest) {
        return R"({"run": 1, "name": "ship", "inputHash": ")" + hash + "\"" + rest + "}";
    };
    expect_bodies_refused(
        Method::put, {path(other_, "/steps/0")},
        {"{}", "[]", body(""), body(R"(, "value": 1, "error": 2)"), body(R"(, "result": 1)"),
         R"({"name": "ship", "inputHash": ")" + hash + R"(", "value": 1})",
         R"({"run": 0, "name": "ship", "inputHash": ")" + hash + R"(", "value": 1})",
         R"({"run": 1, "inputHash": ")" + hash + R"(", "value": 1})",
         R"({"run": 1, "name": "ship", "value": 1})",
         R"({"run": 1, "name": "ship", "inputHash": "abc", "value": 1})",
         R"({"run": 1, "name": "ship", "inputHash": 7, "value": 1})",
         R"({"run": 1, "name": "ship", "inputHash": ")" + std::string(64, 'g') +
             R"(", "value": 1})",
         R"({"run": 1, "name": "ship", "inputHash": ")" + std::string(65, 'a') +
             R"(", "value": 1})",
         body(R"(, "value": 1, "index": 0)")});
    std::vector<Attack> attacks;
    for (const char* index : {"x", "-1", "1.0", "99999999999999999999", "0x1"}) {
        attacks.push_back({400, Method::get, path(other_, "/steps/"s + index)});
        attacks.push_back(
            {400, Method::put, path(other_, "/steps/"s + index), body(R"(, "value": 1)")});
    }
    attacks.push_back({422, Method::put, path(other_, "/steps/0"), body(R"(, "value": 1e400)")});
    expect_all_refused(attacks);
}

TEST_P(BadEventInput, EndingsAreReadStrictly) {
    expect_bodies_refused(
        Method::post,
        {path(other_, "/complete"), path(other_, "/fail"), path(other_, "/continue-as")},
        {"{}", "[]", R"({"run": 1})", R"({"index": 0})", R"({"run": 0, "index": 0})",
         R"({"run": 1, "index": 0, "extra": 1})", R"({"run": 1, "index": null})",
         R"({"run": "1", "index": 0})"});
    expect_bodies_refused(
        Method::post, {path(other_, "/fail")},
        {R"({"run": 1, "index": 0, "code": ""})", R"({"run": 1, "index": 0, "code": "a b"})",
         R"({"run": 1, "index": 0, "code": 7})"});
}

TEST_P(BadEventInput, APayloadBeyondTheLimitIsRefused) {
    const std::string before = fingerprint(server_);
    for (const std::string& line :
         {"POST " + at("/events/paid"), "POST /api/v1/events"s, "POST " + path(other_, "/complete"),
          "POST " + at("/wait"), "PUT " + path(other_, "/steps/0")}) {
        const std::size_t limit = line.starts_with("PUT") ? 4 * 1024 * 1024 : 1024 * 1024;
        http::RawClient client(server_.port());
        client.send(line + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
                    "Content-Length: " + std::to_string(limit + 1) + "\r\n\r\n");
        const std::string response = client.read_response();
        EXPECT_TRUE(response.starts_with("HTTP/1.1 413 ")) << response;
        EXPECT_NE(response.find("/problems/body-too-large"), std::string::npos);
    }
    EXPECT_EQ(fingerprint(server_), before);
}

TEST_P(BadEventInput, AWrongRunOrIndexIsAConflictThatChangesNothing) {
    const std::string run = R"({"run": 1, "index": 7})";
    expect_all_refused(
        {{409, Method::post, at("/wait"), R"({"run": 1, "index": 7, "names": ["x"]})"},
         {409, Method::post, at("/complete"), run},
         {409, Method::post, at("/fail"), run},
         {409, Method::post, at("/continue-as"), run},
         {409, Method::get, at("/wait?index=7")},
         {404, Method::get, "/api/v1/event-fates/"s + nobody},
         {404, Method::del, "/api/v1/dead-events/"s + nobody},
         {404, Method::post, "/api/v1/dead-events/"s + nobody + "/replay"},
         {404, Method::post, path(nobody, "/events/paid")},
         {404, Method::post, path(nobody, "/complete"), run},
         {405, Method::get, "/api/v1/events/paid"},
         {405, Method::del, "/api/v1/pending-events"}});
}

}  // namespace
}  // namespace holdfast::testing
