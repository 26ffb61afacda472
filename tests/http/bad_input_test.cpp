// Hostile and mistaken requests: each gets its 4xx as a problem document and leaves no trace.
#include <gtest/gtest.h>

#include "raw_client.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

using namespace std::string_literals;

constexpr const char* user = "11111111-1111-4111-8111-111111111111";

struct Attack {
    int status;
    Method method;
    std::string target;  // "{id}" is replaced by an existing workflow
    std::string body = {};
    Fields headers = {};
};

std::string with_state(const std::string& state) {
    return R"({"definition": "order", "state": )" + state + "}";
}

class BadInput : public DurableApi {
protected:
    BadInput() : id_(server_.start_id(R"({"n": 1, "list": [1]})")) {
        server_.call(Method::post, path("/checkpoints"), R"({"name": "c"})");
        server_.patch(id_, "9", R"({"state": {}})");  // one conflict
    }

    std::string path(const std::string& rest) const { return ApiServer::path_of(id_) + rest; }

    // The visible data.
    std::string sight() {
        std::string text;
        for (const std::string& target : {workflows, path("/history"), path("/checkpoints"),
                                          "/api/v1/conflicts"s, "/api/v1/definitions/order"s})
            text += server_.call(Method::get, target).text;
        return text;
    }

    void expect_refused(const Attack& attack) {
        std::string target = attack.target;
        if (const std::size_t at = target.find("{id}"); at != target.npos)
            target.replace(at, 4, id_);
        const Reply reply = server_.call(attack.method, target, attack.body, attack.headers);
        SCOPED_TRACE(std::string(name_of(attack.method)) + ' ' + target.substr(0, 300) + ' ' +
                     attack.body.substr(0, 300));
        EXPECT_EQ(reply.status, attack.status) << reply;
        expect_problem(reply);
    }

    static void expect_problem(const Reply& reply) {
        EXPECT_EQ(reply.header("Content-Type"), "application/problem+json");
        EXPECT_TRUE(reply.text_at("/type").starts_with("/problems/"));
        EXPECT_EQ(reply.number_at("/status"), static_cast<std::uint64_t>(reply.status));
        EXPECT_FALSE(reply.text_at("/title").empty());
        EXPECT_FALSE(reply.text_at("/detail").empty());
    }

    void expect_all_refused(const std::vector<Attack>& attacks) {
        const std::string before = fingerprint(server_);
        const std::string seen = sight();
        for (const Attack& attack : attacks) {
            expect_refused(attack);
            EXPECT_EQ(sight(), seen) << attack.target << ' ' << attack.body.substr(0, 300);
        }
        EXPECT_EQ(fingerprint(server_), before);
    }

    void expect_bodies_refused(int status, const std::vector<std::string>& bodies) {
        std::vector<Attack> attacks;
        for (const std::string& body : bodies)
            attacks.push_back({status, Method::post, workflows, body});
        expect_all_refused(attacks);
    }

    std::string id_;
};

INSTANTIATE_TEST_SUITE_P(Stores, BadInput, durable_stores(), store_name);

TEST_P(BadInput, WrongTypesAndUnknownMembersAreRefused) {
    expect_bodies_refused(
        400, {"[]",
              "7",
              "null",
              "\"order\"",
              "{}",
              R"({"definition": 7})",
              R"({"definition": null})",
              R"({"definition": ["order"]})",
              R"({"definition": ""})",
              R"({"definition": "or der"})",
              R"({"definition": "order'; drop table instances; --"})",
              R"({"definition": "order", "extra": 1})",
              R"({"Definition": "order"})",
              with_state("7"),
              with_state("null"),
              with_state("[]"),
              with_state("\"{}\""),
              R"({"definition": "order", "stateMetadata": []})",
              R"({"definition": "order", "stateMetadata": null})",
              R"({"definition": "order", "businessKey": 7})",
              R"({"definition": "order", "businessReference": "k"})",
              R"({"definition": "order", "businessReference": {"key": 7}})",
              R"({"definition": "order", "businessReference": {"parts": []}})",
              R"({"definition": "order", "businessReference": {"parts": {"a": 1}}})",
              R"({"definition": "order", "businessReference": {"parts": {"a b": "x"}}})",
              R"({"definition": "order", "businessReference": {"parts": {"": "x"}}})",
              R"({"definition": "order", "businessReference": {"kee": "k"}})",
              R"({"definition": "order", "businessKey": ")" + std::string(257, 'k') + "\"}"});
}

TEST_P(BadInput, ControlCharactersInKeysAndReasonsAreRefusedByMember) {
    const std::pair<const char*, const char*> bodies[] = {
        {R"({"definition": "order", "businessKey": "a%b"})", "'businessKey'"},
        {R"({"definition": "order", "businessReference": {"key": "a%b"}})",
         "'businessReference.key'"},
        {R"({"definition": "order", "businessReference": {"parts": {"region": "a%b"}}})",
         "'businessReference.parts.region'"}};
    const std::string cancel = path("/cancel");
    const std::string before = fingerprint(server_);
    for (const char* control : {"\\u001b", "\\u0007", "\\n", "\\r", "\\t", "\\u007f", "\\u009b"}) {
        const auto expect_named = [&](const std::string& target, std::string body,
                                      const char* member) {
            body.replace(body.find('%'), 1, control);
            const Reply reply = server_.call(Method::post, target, body);
            EXPECT_EQ(reply.status, 400) << body << reply;
            EXPECT_NE(reply.text_at("/detail").find(member), std::string::npos) << body << reply;
        };
        for (const auto& [body, member] : bodies) expect_named(workflows, body, member);
        expect_named(cancel, R"({"reason": "a%b"})", "'reason'");
    }
    EXPECT_EQ(fingerprint(server_), before);
}

TEST_P(BadInput, MalformedJsonIsRefused) {
    expect_bodies_refused(400, {"{",
                                "}",
                                "{} {}",
                                R"({"definition": "order",})",
                                R"({'definition': 'order'})",
                                R"({"definition": "order" /* note */})",
                                with_state(R"({"n": NaN})"),
                                with_state(R"({"n": 01})"),
                                with_state(R"({"n": .5})"),
                                with_state(R"({"n": +1})"),
                                "\xef\xbb\xbf{\"definition\": \"order\"}",
                                std::string(1, '\0'),
                                with_state(R"({"a": 1, "a": 1})"),
                                with_state(R"({"a": 1, "\u0061": 2})"),
                                with_state(R"({"deep": [{"k": 1, "k": 2}]})"),
                                R"({"definition": "order", "definition": "order"})",
                                with_state(R"({"a": "\u0000"})"),
                                with_state(R"({"\u0000": 1})"),
                                with_state("{\"a\": \""s + '\0' + "\"}"),
                                with_state("{\"a\": \"\xff\"}"),
                                with_state("{\"a\": \"\xc0\xaf\"}"),
                                with_state("{\"a\": \"\xed\xa0\x80\"}"),
                                with_state("{\"\xf5\": 1}"),
                                with_state(R"({"a": "\ud800"})"),
                                with_state(R"({"a": "\udc00\ud800"})"),
                                with_state("{\"a\": \"\x01\"}")});
}

TEST_P(BadInput, DeepAndCrowdedJsonIsRefused) {
    const std::string crowd = "[0" + repeated(",0", 100'000) + "]";
    const std::string deep = repeated("[", 63) + repeated("]", 63);
    expect_bodies_refused(400,
                          {with_state(R"({"a": )" + deep + "}"),
                           with_state(R"({"a": )" + repeated("[", 100'000)), repeated("[", 500'000),
                           repeated("{\"a\":", 100'000), with_state("{\"a\": " + crowd + "}")});
}

TEST_P(BadInput, ANumberThatDoesNotFitIsRefusedWithItsPath) {
    const std::string before = fingerprint(server_);
    for (const char* number :
         {"1e400", "-1e400", "1e-400", "18446744073709551616", "-9223372036854775809",
          "123456789012345678901234567890", "0.1234567890123456789012345", "1e99999999999999999999",
          "9007199254740993.5"}) {
        const std::string state = std::string(R"({"a": [0, {"b/c": )") + number + "}]}";
        const Reply reply = server_.call(Method::post, workflows, with_state(state));
        EXPECT_EQ(reply.status, 422) << number << reply;
        expect_problem(reply);
        EXPECT_EQ(reply.text_at("/path"), "/state/a/1/b~1c") << number;
        const Reply patched =
            server_.call(Method::patch, path("/state"), std::string(R"({"x": )") + number + "}",
                         {{"If-Match", "*"}, {"Content-Type", "application/merge-patch+json"}});
        EXPECT_EQ(patched.status, 422) << number << patched;
        EXPECT_EQ(patched.text_at("/path"), "/x") << number;
    }
    EXPECT_EQ(fingerprint(server_), before);
}

TEST_P(BadInput, ABodyBeyondTheLimitIsRefused) {
    const std::string before = fingerprint(server_);
    const std::pair<const char*, std::size_t> limits[] = {
        {"POST /api/v1/workflows", 1024 * 1024},
        {"PATCH /api/v1/workflows/01890a5d-ac96-774b-bcce-b302099a8057/state", 1024 * 1024},
        {"PUT /api/v1/definitions/order", 4 * 1024 * 1024}};
    for (const auto& [line, limit] : limits) {
        http::RawClient client(server_.port());
        client.send(std::string(line) + " HTTP/1.1\r\nHost: localhost\r\nIf-Match: *\r\n" +
                    "Content-Type: application/json\r\nContent-Length: " +
                    std::to_string(limit + 1) + "\r\n\r\n");
        const std::string response = client.read_response();
        EXPECT_TRUE(response.starts_with("HTTP/1.1 413 ")) << response;
        EXPECT_NE(response.find("Content-Type: application/problem+json"), std::string::npos);
        EXPECT_NE(response.find("/problems/body-too-large"), std::string::npos);
    }
    EXPECT_EQ(fingerprint(server_), before);
}

TEST_P(BadInput, InvalidPatchesAreRefused) {
    std::vector<Attack> attacks;
    const auto add = [&](int status, const char* type, std::string body) {
        attacks.push_back({status,
                           Method::patch,
                           "/api/v1/workflows/{id}/state",
                           std::move(body),
                           {{"If-Match", "*"}, {"Content-Type", type}}});
    };
    for (const char* body : {"{}", "[]", "7", R"({"state": null})", R"({"state": [1]})",
                             R"({"stateMetadata": 7})", R"({"state": {}, "version": 1})", "{"})
        add(400, "application/json", body);
    for (const char* body : {"", "{", R"({"a": 1, "a": 2})", R"({"a": "\u0000"})"})
        add(400, "application/merge-patch+json", body);
    for (const char* body :
         {"", "{}", "7", "null", "[7]", "[{}]", R"([{"op": "add"}])",
          R"([{"op": "add", "path": "/a"}])", R"([{"op": "spin", "path": "/a", "value": 1}])",
          R"([{"op": "add", "path": "a", "value": 1}])",
          R"([{"op": "add", "path": 7, "value": 1}])",
          R"([{"op": "add", "path": "/~2", "value": 1}])",
          R"([{"op": "add", "path": "/~", "value": 1}])", R"([{"op": "move", "path": "/a"}])",
          R"([{"op": "copy", "from": "a", "path": "/a"}])"})
        add(400, "application/json-patch+json", body);
    const std::string doubling = R"({"op": "copy", "from": "/list", "path": "/list/-"},)";
    for (const std::string& body :
         {R"([{"op": "add", "path": ")" + repeated("/a", 70) + R"(", "value": 1}])",
          R"([{"op": "add", "path": "/list/99999999999999999999", "value": 1}])"s,
          "[" + repeated(doubling, 60) + R"({"op": "remove", "path": "/list"}])"})
        add(422, "application/json-patch+json", body);
    add(415, "text/plain", R"({"state": {}})");
    expect_all_refused(attacks);
}

TEST_P(BadInput, InvalidIdsAreRefused) {
    std::vector<Attack> attacks;
    for (const std::string& id : {"x"s, "0"s, "01890a5dac96774bbcceb302099a8057"s, id_ + "0",
                                  id_.substr(1), "%7B" + id_ + "%7D", "%27%20or%201%3D1%20--"s,
                                  "%F0%9F%98%80"s, std::string(4'000, 'a')}) {
        const std::string base = workflows + "/" + id;
        const Fields match{{"If-Match", "*"}};
        attacks.push_back({400, Method::get, base});
        attacks.push_back({400, Method::del, base, "", match});
        attacks.push_back({400, Method::patch, base + "/state", R"({"state": {}})", match});
        attacks.push_back({400, Method::get, base + "/history"});
        attacks.push_back({400, Method::get, base + "/checkpoints"});
        attacks.push_back({400, Method::post, base + "/checkpoints", R"({"name": "d"})"});
        attacks.push_back({400, Method::post, base + "/checkpoints/c/restore"});
        attacks.push_back({400, Method::post, base + "/checkpoints/c/fork"});
        attacks.push_back({400, Method::post, base + "/cancel"});
        attacks.push_back({400, Method::post, base + "/release"});
    }
    for (const char* name : {"a%20b", "%27", "%C3%BC"}) {
        const std::string base = "/api/v1/workflows/{id}/checkpoints/"s + name;
        attacks.push_back({400, Method::post, base + "/restore"});
        attacks.push_back({400, Method::post, base + "/fork"});
    }
    expect_all_refused(attacks);
}

TEST_P(BadInput, TargetsThatCouldBeReadTwoWaysAreRefused) {
    std::vector<Attack> attacks;
    for (const char* target :
         {"/api/v1/../v1/workflows", "/api//v1/workflows", "/api/v1/%2e%2e/workflows",
          "/api/v1/workflows/%00", "/api/v1/workflows/a%2Fb", "/api/v1/workflows/a%5Cb",
          "/api/v1/workflows;x=1", "/api/v1/workflows?a=%zz", "/api/v1/workflows?a=%0",
          "/api/v1/workflows?path.a=%00", "/api/v1/workflows?path.a%00b=1",
          "/api/v1/workflows?contains=%ff", "/api/v1/workflows?businessKey=%ed%a0%80"})
        attacks.push_back({400, Method::get, target});
    attacks.push_back({404, Method::get, "/api/v1/workflows/"});
    attacks.push_back({404, Method::get, "/api/v2/workflows"});
    attacks.push_back({404, Method::get, "/problems/stale-version"});
    attacks.push_back({405, Method::put, "/api/v1/workflows", "{}"});
    attacks.push_back({405, Method::post, "/api/v1/workflows/{id}/state", "{}"});
    attacks.push_back({405, Method::del, "/api/v1/definitions/order"});
    expect_all_refused(attacks);
}

TEST_P(BadInput, HeadersThatAreWrongOrAmbiguousAreRefused) {
    const std::string start = R"({"definition": "order"})";
    std::vector<Attack> attacks;
    for (const Fields& headers :
         std::vector<Fields>{{{"X-User-Id", std::string(257, 'u')}},
                             {{"X-User-Id", ""}},
                             {{"X-User-Id", "a\xc2\x85"}},
                             {{"X-User-Id", "a\xff"}},
                             {{"X-User-Id", user}, {"X-User-Id", user}},
                             {{"Idempotency-Key", ""}},
                             {{"Idempotency-Key", "a b"}},
                             {{"Idempotency-Key", std::string(256, 'k')}},
                             {{"Idempotency-Key", "\xc3\xbc"}},
                             {{"Idempotency-Key", "a"}, {"Idempotency-Key", "b"}},
                             {{"X-Correlation-Id", std::string(129, 'c')}},
                             {{"X-Correlation-Id", "a b"}}})
        attacks.push_back({400, Method::post, workflows, start, headers});
    for (const char* type : {"text/plain", "application/x-www-form-urlencoded", "application/xml",
                             "application/merge-patch+json", ""}) {
        attacks.push_back({415, Method::post, workflows, start, {{"Content-Type", type}}});
        attacks.push_back(
            {415, Method::put, "/api/v1/definitions/other", "{}", {{"Content-Type", type}}});
        attacks.push_back(
            {415, Method::post, "/api/v1/workflows/{id}/cancel", "{}", {{"Content-Type", type}}});
    }
    attacks.push_back({415, Method::post, workflows});
    const std::string base = "/api/v1/workflows/{id}";
    for (const char* match : {"W/\"1\"", "\"1\", \"2\"", "x", ""}) {
        const Fields headers{{"If-Match", match}};
        attacks.push_back({400, Method::del, base, "", headers});
        attacks.push_back({400, Method::post, base + "/cancel", "", headers});
        attacks.push_back({400, Method::post, base + "/checkpoints", R"({"name": "d"})", headers});
        attacks.push_back({400, Method::post, base + "/checkpoints/c/restore", "", headers});
    }
    expect_all_refused(attacks);
}

TEST_P(BadInput, InvalidDefinitionsAreRefused) {
    std::vector<Attack> attacks;
    for (const char* body :
         {"[]", "7", R"({"indexes": "a"})", R"({"indexes": [7]})", R"({"indexes": ["a..b"]})",
          R"({"indexes": [""]})", R"({"indexes": ["a'; drop table instances; --"]})",
          R"({"indexes": ["a b"]})", R"({"schema": 7})", R"({"schema": {"type": 7}})",
          R"({"schema": {"$ref": "http://example.com/x"}})", R"({"schema": {}, "shcema": {}})",
          R"({"indexes": ["1","2","3","4","5","6","7","8","9","a","b","c","d","e","f","g","h"]})"})
        attacks.push_back({400, Method::put, "/api/v1/definitions/other", body});
    for (const std::string& key : {"a%20b"s, "a%27b"s, "%C3%BC"s, std::string(129, 'a')}) {
        attacks.push_back({400, Method::put, "/api/v1/definitions/" + key, "{}"});
        attacks.push_back({400, Method::get, "/api/v1/definitions/" + key});
    }
    expect_all_refused(attacks);
}

TEST_P(BadInput, ParametersThatARouteDoesNotTakeAreRefused) {
    std::vector<Attack> attacks;
    const std::string base = "/api/v1/workflows/{id}";
    for (const std::string& target : {base, base + "/history", base + "/checkpoints", workflows,
                                      "/api/v1/conflicts"s, "/api/v1/definitions/order"s})
        attacks.push_back({400, Method::get, target + "?x=1"});
    attacks.push_back({400, Method::post, workflows + "?dry=1", R"({"definition": "order"})"});
    attacks.push_back({400, Method::post, base + "/cancel?force=1"});
    attacks.push_back({400, Method::post, base + "/release?x"});
    attacks.push_back({400, Method::post, base + "/checkpoints/c/restore?x=1"});
    attacks.push_back({400, Method::del, base + "?x=1", "", {{"If-Match", "*"}}});
    for (const char* query : {"from=-1", "from=x", "from=", "from=99999999999999999999", "from=1.5",
                              "limit=0", "limit=1001", "limit=x", "limit=1&limit=2"})
        attacks.push_back({400, Method::get, base + "/history?" + query});
    for (const char* query : {"workflow=x", "workflow=", "resolution=x", "resolution=", "limit=0",
                              "limit=501", "cursor=x", "cursor="})
        attacks.push_back({400, Method::get, "/api/v1/conflicts?"s + query});
    expect_all_refused(attacks);
}

}  // namespace
}  // namespace holdfast::testing
