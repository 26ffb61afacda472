#include "http/router.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "http/responses/problem.h"
#include "http/wire/target.h"

namespace holdfast::http {
namespace {

Handler says(std::string text) {
    return
        [text](Request, Respond respond) { respond({.status = 200, .headers = {}, .body = text}); };
}

Description described() { return Description("test", everyone, "A route.").any_parameters(); }

Request request(Method method, std::string_view target) {
    Request request;
    request.method = method;
    auto parsed = parse_target(target);
    EXPECT_TRUE(parsed) << target;
    request.target = target;
    request.path = std::move(parsed->path);
    request.query = std::move(parsed->query);
    request.headers.add("Host", "localhost:8080");
    return request;
}

Request bearing(std::string authorization, Request request) {
    request.headers.add("Authorization", std::move(authorization));
    return request;
}

Response answer(const Router& router, Request request) {
    std::optional<Response> answer;
    router.handle(std::move(request), [&](Response response) { answer = std::move(response); });
    EXPECT_TRUE(answer);
    return answer.value_or(Response{});
}

Router small_router(GateOptions options = {}) {
    Router router{Gate(std::move(options))};
    router.add({Method::get, "/healthz", Access::open, described(), says("alive")});
    router.add({Method::get, "/api/v1/workflows/{id}", Access::guarded, described(), says("one")});
    router.add(
        {Method::get, "/api/v1/workflows/search", Access::guarded, described(), says("found")});
    router.add(
        {Method::put, "/api/v1/workflows/{id}/state", Access::guarded, described(), says("put")});
    router.add(
        {Method::get, "/api/v1/workflows/{id}/state", Access::guarded, described(), says("state")});
    return router;
}

Router locked_router() { return small_router({.host_names = {}, .token = "s3cret"}); }

TEST(Router, ANameMatchesOneSegment) {
    Router router{Gate()};
    router.add({Method::get, "/a/{x}/b/{y}", Access::guarded, described(),
                [](Request given, Respond respond) {
                    respond({200, {}, given.param("x") + "," + given.param("y")});
                }});
    EXPECT_EQ(answer(router, request(Method::get, "/a/1%20/b/2")).body, "1 ,2");
    EXPECT_EQ(answer(router, request(Method::get, "/a/1/b")).status, 404);
    EXPECT_EQ(answer(router, request(Method::get, "/a/1/2/b/3")).status, 404);
}

TEST(Router, ALiteralSegmentWinsOverAName) {
    EXPECT_EQ(answer(small_router(), request(Method::get, "/api/v1/workflows/search")).body,
              "found");
    EXPECT_EQ(answer(small_router(), request(Method::get, "/api/v1/workflows/other")).body, "one");
}

TEST(Router, AnUnknownPathIsAProblem) {
    const Response response = answer(small_router(), request(Method::get, "/nowhere"));
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(response.headers.find("Content-Type"), "application/problem+json");
    EXPECT_EQ(boost::json::parse(response.body).at("type"), "/problems/no-such-route");
}

TEST(Router, AnotherMethodGetsTheAllowedOnes) {
    const Response response =
        answer(small_router(), request(Method::post, "/api/v1/workflows/1/state"));
    EXPECT_EQ(response.status, 405);
    EXPECT_EQ(response.headers.find("Allow"), "PUT, GET, HEAD");
}

TEST(Router, OptionsIsNotAnswered) {
    const Response response = answer(small_router(), request(Method::other, "/healthz"));
    EXPECT_EQ(response.status, 405);
    EXPECT_FALSE(response.headers.find("Access-Control-Allow-Origin"));
}

TEST(Router, HeadRunsTheHandlerOfGet) {
    EXPECT_EQ(answer(small_router(), request(Method::head, "/healthz")).status, 200);
    EXPECT_EQ(answer(small_router(), request(Method::head, "/nowhere")).status, 404);
}

TEST(Router, RoutesCanBeListed) {
    const auto routes = small_router().routes();
    EXPECT_EQ(routes.size(), 5u);
    EXPECT_EQ(std::ranges::count(routes, Access::open, &RouteSummary::access), 1);
    EXPECT_TRUE(std::ranges::count(
        routes, RouteSummary{Method::put, "/api/v1/workflows/{id}/state", Access::guarded}));
}

TEST(RouterDeathTest, OnlyTheHealthProbesAndThePageMayBeOpen) {
    Router router{Gate()};
    EXPECT_DEATH(router.add({Method::get, "/healthz/all", Access::open, described(), says("")}),
                 "S1");
}

TEST(RouterDeathTest, TwoRoutesOfOneShapeAreABug) {
    Router router = small_router();
    EXPECT_DEATH(router.add({Method::get, "/api/v1/workflows/{key}", Access::guarded, described(),
                             says("")}),
                 "one handler");
}

TEST(Gate, EveryRouteButTheOpenOnesNeedsTheToken) {
    using enum Method;
    const Router router = locked_router();
    for (const RouteSummary& route : router.routes())
        for (const Method method : {get, post, put, patch, del, head, other}) {
            const bool open = route.access == Access::open && (method == get || method == head);
            const Response response = answer(router, request(method, route.pattern));
            EXPECT_EQ(response.status, open ? 200 : 401) << name_of(method) << route.pattern;
        }
}

TEST(Gate, AnUnknownPathNeedsTheTokenToo) {
    const Response response = answer(locked_router(), request(Method::get, "/healthz/x"));
    EXPECT_EQ(response.status, 401);
    EXPECT_EQ(response.headers.find("WWW-Authenticate"), "Bearer");
}

// Inserts every `piece` at every position of every guarded path, also with the open path in it.
TEST(Gate, NoMutationOfAPathGoesAroundTheToken) {
    const Router router = locked_router();
    int refused = 0;
    for (const RouteSummary& route : router.routes())
        for (const std::string piece :
             {";",  ";/healthz", "/healthz", "/../healthz", "%2f", "%2fhealthz", "..",        "/..",
              "//", "/./",       "%00",      "%5c",         "\\",  "?/healthz",  "#/healthz", "%3b",
              ".",  "%2e%2e",    "healthz",  "%",           "%25"})
            for (std::size_t at = 0; at <= route.pattern.size(); ++at) {
                if (route.access == Access::open) continue;
                const std::string mutated = std::string(route.pattern).insert(at, piece);
                const auto target = parse_target(mutated);
                ++refused;
                if (!target || target->path == std::vector<std::string>{"healthz"}) continue;
                EXPECT_EQ(answer(router, request(Method::get, mutated)).status, 401) << mutated;
            }
    EXPECT_GT(refused, 1000);
}

TEST(Gate, TheRightTokenOpens) {
    const auto state = request(Method::get, "/api/v1/workflows/1/state");
    EXPECT_EQ(answer(locked_router(), bearing("Bearer s3cret", state)).body, "state");
    EXPECT_EQ(answer(locked_router(), bearing("bearer s3cret", state)).body, "state");
}

TEST(Gate, NothingButTheRightTokenOpens) {
    const auto state = request(Method::get, "/api/v1/workflows/1/state");
    for (const char* wrong :
         {"", "Bearer", "Bearer ", "s3cret", "Basic s3cret", "Bearer s3cre", "Bearer s3crett",
          "Bearer S3CRET", "Bearer s3cret,", "Bearer garbage"})
        EXPECT_EQ(answer(locked_router(), bearing(wrong, state)).status, 401) << wrong;
    const auto twice = bearing("Bearer s3cret", bearing("Bearer s3cret", state));
    EXPECT_EQ(answer(locked_router(), twice).status, 401);
}

int status_for_host(std::vector<std::string> hosts, const GateOptions& options = {}) {
    Headers headers;
    for (std::string& host : hosts) headers.add("Host", std::move(host));
    const auto refusal = Gate(options).check_host(headers);
    return refusal ? refusal->status : 200;
}

TEST(Gate, LoopbackNamesAreAllowedOnAnyPort) {
    for (const char* host : {"localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[::1]:8080"})
        EXPECT_EQ(status_for_host({host}), 200) << host;
}

TEST(Gate, AForeignHostIsMisdirected) {
    for (const char* host : {"evil.example", "localhost.evil.example", "localhost.", "127.0.0.2:80",
                             "x@localhost", "[::2]", "[::1]x"})
        EXPECT_EQ(status_for_host({host}), 421) << host;
}

TEST(Gate, AMissingOrRepeatedOrBadHostIsRefused) {
    EXPECT_EQ(status_for_host({}), 400);
    EXPECT_EQ(status_for_host({"localhost", "localhost"}), 400);
    for (const char* host : {"", ":80", "localhost:", "localhost:x", "localhost:123456", "[::1"})
        EXPECT_EQ(status_for_host({host}), 400) << host;
}

TEST(Gate, ConfiguredNamesAreAllowed) {
    const GateOptions options{
        .reach = Reach::network, .host_names = {"flows.example"}, .token = {}};
    EXPECT_EQ(status_for_host({"Flows.Example:443"}, options), 200);
    EXPECT_EQ(status_for_host({"localhost"}, options), 421);
}

TEST(Problem, EveryErrorHasAStatusAndASlug) {
    using enum ErrorCode;
    const std::pair<ErrorCode, int> expected[] = {
        {invalid_argument, 400}, {malformed_json, 400}, {unrepresentable, 422},
        {not_found, 404},        {conflict, 409},       {refused, 422},
        {overloaded, 429},       {shutting_down, 503},  {unavailable, 503},
        {outcome_unknown, 503},  {corrupt, 500},        {newer_schema, 500},
        {in_use, 500},           {internal, 500},       {key_reused, 422},
        {unsupported_media, 415}};
    for (const auto& [code, status] : expected) {
        const Response response = problem(Error{code, "why", {}});
        const auto document = boost::json::parse(response.body);
        EXPECT_EQ(response.status, status);
        EXPECT_EQ(document.at("status"), status);
        EXPECT_EQ(document.at("type").as_string(), "/problems/" + std::string(name_of(code)));
        const bool repeatable = status == 429 || status == 503;
        EXPECT_EQ(response.headers.find("Retry-After").has_value(), repeatable) << name_of(code);
    }
}

TEST(Problem, ContextBecomesMembersButNeverReplacesTheStandardOnes) {
    const Error error{ErrorCode::conflict, "stale", {{"currentVersion", 7}, {"status", 200}}};
    const auto document = boost::json::parse(problem(error).body);
    EXPECT_EQ(document.at("currentVersion"), 7);
    EXPECT_EQ(document.at("status"), 409);
    EXPECT_EQ(document.at("detail"), "stale");
}

TEST(Problem, AnUnknownOutcomeSaysHowToLearnIt) {
    const Response response = problem(Error{ErrorCode::outcome_unknown, "lost", {}});
    EXPECT_NE(response.body.find("Idempotency-Key"), std::string::npos);
}

TEST(Gate, OnTheNetworkATokenReplacesTheHostCheckUnlessNamesAreGiven) {
    Headers headers;
    headers.add("Host", "workflows.example:8080");
    const std::string token(32, 't');
    EXPECT_FALSE(Gate({.reach = Reach::network, .token = token}).check_host(headers));
    EXPECT_TRUE(Gate({.reach = Reach::network, .host_names = {"other.example"}, .token = token})
                    .check_host(headers));
    EXPECT_TRUE(Gate({.reach = Reach::network}).check_host(headers));
    EXPECT_TRUE(Gate({.reach = Reach::loopback, .token = token}).check_host(headers));
}

}  // namespace
}  // namespace holdfast::http
