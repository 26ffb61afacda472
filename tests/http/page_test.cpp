#include "http/page/page.h"

#include <gtest/gtest.h>

#include "http/page/gunzip.h"

namespace holdfast::http {
namespace {

// printf 'hello, page' | gzip -n9, as the build makes it.
constexpr std::string_view hello{
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xcb\x48\xcd\xc9\xc9\xd7\x51\x28\x48\x4c\x4f\x05\x00"
    "\x98\x71\x52\x72\x0b\x00\x00\x00",
    31};
constexpr PageFile index_file{"/index.html", "text/html; charset=utf-8", "\"one\"", hello};
constexpr PageFile asset_files[] = {{"/assets/app-1.js", "text/javascript", "\"two\"", hello},
                                    {"/icon.svg", "image/svg+xml", "\"three\"", hello}};
constexpr std::string_view screen_patterns[] = {"/", "/workflows/{id}"};

Router page_router(GateOptions options = {}) {
    Router router{Gate(std::move(options))};
    add_page_routes(router, {index_file, screen_patterns, asset_files});
    router.add({Method::get, "/api/v1/workflows", Access::guarded,
                Description("test", everyone, "A route.").any_parameters(),
                [](Request, Respond respond) { respond(Response{}); }});
    return router;
}

Request page_request(std::vector<std::string> path, Headers headers = {}) {
    Request request;
    request.path = std::move(path);
    request.headers = std::move(headers);
    request.headers.add("Host", "localhost");
    return request;
}

Headers header(std::string name, std::string value) {
    Headers headers;
    headers.add(std::move(name), std::move(value));
    return headers;
}

Response fetch(const Router& router, Request request) {
    std::optional<Response> answer;
    router.handle(std::move(request), [&](Response response) { answer = std::move(response); });
    EXPECT_TRUE(answer);
    return answer.value_or(Response{});
}

TEST(PageRoutes, EveryScreenHasTheOneDocument) {
    for (const auto& path : {std::vector<std::string>{}, {"workflows", "7"}}) {
        const Response response = fetch(page_router(), page_request(path));
        EXPECT_EQ(response.status, 200);
        EXPECT_EQ(response.body, "hello, page");
        EXPECT_EQ(response.headers.find("Content-Type"), "text/html; charset=utf-8");
        EXPECT_EQ(response.headers.find("Cache-Control"), "no-cache");
    }
}

TEST(PageRoutes, AFileIsSentAsItIsStoredToWhoAcceptsThat) {
    const Response packed =
        fetch(page_router(),
              page_request({"assets", "app-1.js"}, header("Accept-Encoding", "br, gzip;q=0.8")));
    EXPECT_EQ(packed.headers.find("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.body, hello);
    const Response plain = fetch(
        page_router(), page_request({"assets", "app-1.js"}, header("Accept-Encoding", "gzip;q=0")));
    EXPECT_FALSE(plain.headers.find("Content-Encoding"));
    EXPECT_EQ(plain.body, "hello, page");
    EXPECT_EQ(plain.headers.find("Cache-Control"), "public, max-age=31536000, immutable");
}

TEST(PageRoutes, AKnownFileIsNotSentAgain) {
    const Response response = fetch(
        page_router(), page_request({"icon.svg"}, header("If-None-Match", "\"x\", \"three\"")));
    EXPECT_EQ(response.status, 304);
    EXPECT_EQ(response.body, "");
    EXPECT_EQ(response.headers.find("ETag"), "\"three\"");
}

TEST(PageRoutes, ThePolicyAllowsNothingInlineAndNothingFromElsewhere) {
    const Response response = fetch(page_router(), page_request({}));
    const std::string policy(response.headers.find("Content-Security-Policy").value_or(""));
    EXPECT_TRUE(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"));
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos);
}

TEST(PageRoutes, NeedNoTokenWhileTheApiDoes) {
    const Router router = page_router({.host_names = {}, .token = "s3cret"});
    EXPECT_EQ(fetch(router, page_request({})).status, 200);
    EXPECT_EQ(fetch(router, page_request({"assets", "app-1.js"})).status, 200);
    EXPECT_EQ(fetch(router, page_request({"api", "v1", "workflows"})).status, 401);
    EXPECT_EQ(fetch(router, page_request({"nowhere"})).status, 401);
}

TEST(PageRoutesDeathTest, NothingUnderApiIsAFileOfThePage) {
    Router router{Gate()};
    EXPECT_DEATH(router.add({Method::get, "/api/v1/page", Access::page,
                             Description("test", everyone, "A route.").any_parameters(),
                             [](Request, Respond respond) { respond(Response{}); }}),
                 "S1");
}

TEST(PageRoutesDeathTest, WhatIsNotGzipIsABug) { EXPECT_DEATH(gunzip("hello"), "gzip"); }

}  // namespace
}  // namespace holdfast::http
