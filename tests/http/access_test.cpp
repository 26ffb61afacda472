// Access control, health probes, and the response of a full queue.
#include <gtest/gtest.h>

#include <future>

#include "base/build_version.h"
#include "base/threads/threads.h"
#include "raw_client.h"
#include "support/api_server.h"
#include "support/eventually.h"
#include "support/held_commit.h"

namespace holdfast::testing {
namespace {

constexpr const char* token = "0123456789abcdef0123456789abcdef";
constexpr const char* some_id = "01890a5d-ac96-774b-bcce-b302099a8057";

ApiOptions guarded() { return {.gate = {.token = token}}; }

// A target that a route's pattern matches.
std::string filled(std::string pattern) {
    const std::pair<std::string_view, std::string_view> values[] = {
        {"{id}", some_id},    {"{key}", "order"},    {"{name}", "c"},
        {"{event}", some_id}, {"{task}", some_id},   {"{signal}", some_id},
        {"{index}", "0"},     {"{worker}", some_id}, {"{keyId}", "0123456789abcdef"}};
    for (const auto& [name, value] : values)
        if (const auto at = pattern.find(name); at != std::string::npos)
            pattern.replace(at, name.size(), value);
    if (pattern == "/api/v1/stream") pattern += "?kind=nothing";  // refused: it would not end
    return pattern;
}

// The probes, and the description of the API, which has no data.
bool is_open_to_all(const std::string& pattern) {
    return pattern == "/healthz" || pattern == "/readyz" || pattern == "/openapi.json" ||
           pattern.starts_with("/docs");
}

std::string answer_to_host(std::uint16_t port, const std::string& host_lines,
                           const std::string& target = "/healthz") {
    http::RawClient client(port);
    client.send("GET " + target + " HTTP/1.1\r\n" + host_lines + "\r\n");
    return client.read_response().substr(9, 3);
}

TEST(Access, WithoutTheTokenOnlyTheProbesAndTheDescriptionAnswer) {
    ApiServer server("memory", guarded());
    ASSERT_GE(server.routes().size(), 53u);
    for (const http::RouteSummary& route : server.routes()) {
        const std::string target = filled(route.pattern);
        const Reply reply = server.call(route.method, target);
        SCOPED_TRACE(std::string(name_of(route.method)) + ' ' + target);
        if (is_open_to_all(route.pattern)) {
            EXPECT_EQ(reply.status, 200) << reply;
            continue;
        }
        if (route.pattern == "/api/v1/sign-in") {
            EXPECT_EQ(reply.slug(), "unsupported-media-type") << "it looks at the body";
            continue;
        }
        EXPECT_EQ(reply.status, 401) << reply;
        EXPECT_EQ(reply.header("WWW-Authenticate"), "Bearer");
        EXPECT_EQ(reply.header("Content-Type"), "application/problem+json");
    }
}

TEST(Access, WithoutTheTokenUnknownRoutesAndMethodsAreNotRevealed) {
    ApiServer server("memory", guarded());
    for (const Method method :
         {Method::get, Method::post, Method::put, Method::patch, Method::del, Method::head})
        for (const char* target : {"/", "/nothing", "/api/v1/workflows", "/metrics", "/version"})
            EXPECT_EQ(server.call(method, target).status, 401) << target;
    EXPECT_EQ(server.call(Method::post, "/healthz").status, 401);
}

TEST(Access, AWrongTokenIsNoToken) {
    ApiServer server("memory", guarded());
    const std::string right = token;
    for (const std::string& value :
         {"Bearer " + right + "0", "Bearer " + right.substr(1), std::string("Bearer"),
          std::string("Bearer "), "Basic " + right, right, "Bearer" + right, std::string()})
        EXPECT_EQ(server.call(Method::get, "/version", {}, {{"Authorization", value}}).status, 401)
            << value;
    EXPECT_EQ(server
                  .call(Method::get, "/version", {},
                        {{"Authorization", "Bearer " + right}, {"Authorization", "Bearer x"}})
                  .status,
              401);
}

TEST(Access, WithTheTokenEveryRouteIsReached) {
    ApiServer server("memory", guarded());
    const Fields headers{{"Authorization", std::string("Bearer ") + token}};
    for (const http::RouteSummary& route : server.routes()) {
        const Reply reply = server.call(route.method, filled(route.pattern), {}, headers);
        EXPECT_NE(reply.status, 401) << route.pattern << reply;
        EXPECT_LT(reply.status, 500) << route.pattern << reply;
    }
}

TEST(Access, WithoutAConfiguredTokenNoneIsNeeded) {
    ApiServer server("memory");
    for (const http::RouteSummary& route : server.routes())
        EXPECT_NE(server.call(route.method, filled(route.pattern)).status, 401) << route.pattern;
}

TEST(Access, OnLoopbackOnlyItsOwnNamesAreAnswered) {
    ApiServer server("memory");
    const std::uint16_t port = server.port();
    for (const std::string name : {"localhost", "LOCALHOST", "127.0.0.1", "[::1]"}) {
        EXPECT_EQ(answer_to_host(port, "Host: " + name + "\r\n"), "200") << name;
        EXPECT_EQ(answer_to_host(port, "Host: " + name + ":8080\r\n"), "200") << name;
    }
    for (const std::string name :
         {"evil.example", "localhost.evil.example", "0.0.0.0", "[::2]", "127.0.0.1.evil.example"})
        for (const char* target : {"/healthz", "/api/v1/workflows", "/nothing"})
            EXPECT_EQ(answer_to_host(port, "Host: " + name + "\r\n", target), "421") << name;
    for (const std::string lines :
         {"", "Host: localhost\r\nHost: localhost\r\n", "Host: \r\n", "Host: localhost:x\r\n",
          "Host: localhost:123456\r\n", "Host: evil.example@localhost\r\n"})
        EXPECT_TRUE(answer_to_host(port, lines).starts_with("4")) << lines;
}

TEST(Access, AConfiguredHostNameIsAnswered) {
    ApiServer server("memory", {.gate = {.host_names = {"flows.example"}}});
    EXPECT_EQ(answer_to_host(server.port(), "Host: flows.example\r\n"), "200");
    EXPECT_EQ(answer_to_host(server.port(), "Host: other.example\r\n"), "421");
}

TEST(Access, NoAnswerInvitesOtherOrigins) {
    ApiServer server("memory");
    const Fields headers{{"Origin", "http://evil.example"},
                         {"Access-Control-Request-Method", "PATCH"}};
    for (const http::RouteSummary& route : server.routes()) {
        const Reply reply = server.call(route.method, filled(route.pattern), {}, headers);
        for (const auto& [name, value] : reply.headers.fields())
            EXPECT_FALSE(name.starts_with("Access-Control-")) << route.pattern << ' ' << name;
    }
    http::RawClient client(server.port());
    client.send(
        "OPTIONS /api/v1/workflows HTTP/1.1\r\nHost: localhost\r\n"
        "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n");
    const std::string preflight = client.read_response();
    EXPECT_TRUE(preflight.starts_with("HTTP/1.1 401 ")) << preflight;
    EXPECT_EQ(preflight.find("Access-Control-"), std::string::npos) << preflight;
}

TEST(Probes, TheyReportThatTheServerIsAliveAndReady) {
    ApiServer server("sqlite");
    const Reply alive = server.call(Method::get, "/healthz");
    EXPECT_EQ(alive.status, 200);
    EXPECT_EQ(alive.text_at("/status"), "alive");
    const Reply ready = server.call(Method::get, "/readyz");
    EXPECT_EQ(ready.status, 200);
    EXPECT_EQ(ready.text_at("/status"), "ready");
}

TEST(Probes, AServerWithoutItsDatabaseIsAliveButNotReady) {
    ApiServer server("postgres");
    EXPECT_EQ(server.call(Method::get, "/readyz").status, 200);
    shared_postgres().stop(StopMode::fast);
    const Reply alive = server.call(Method::get, "/healthz");
    const Reply ready = server.call(Method::get, "/readyz");
    shared_postgres().start();
    EXPECT_EQ(alive.status, 200);
    EXPECT_EQ(ready.status, 503) << ready;
    EXPECT_EQ(ready.header("Content-Type"), "application/problem+json");
    EXPECT_FALSE(ready.header("Retry-After").empty());
    EXPECT_EQ(server.call(Method::get, "/readyz").status, 200);
}

// Every write fails as on a full disk; reads succeed.
void fill_disk(ApiServer& server) {
    server.world.place.query(R"(
        create function refuse_writes() returns trigger language plpgsql as $$ begin
            raise exception using errcode = 'disk_full',
                message = 'could not extend file: No space left on device'; end $$;
        do $$ declare name text; begin
            for name in select tablename from pg_tables where schemaname = current_schema() loop
                execute format('create trigger full_disk before insert or update or delete on %I '
                               'execute function refuse_writes()', name);
            end loop; end $$;
        select 1)");
}
void empty_disk(ApiServer& server) {
    server.world.place.query("drop function refuse_writes cascade; select 1");
}

TEST(Probes, AServerWhoseWritesFailIsNotReadyUntilTheStoreAcceptsOne) {
    ApiServer server("postgres");
    const std::string id = server.start_id();
    fill_disk(server);
    EXPECT_EQ(server.patch(id, "*", R"({"state": {"n": 1}})").status, 503);
    for (int i = 0; i < 2; ++i) {
        const Reply ready = server.call(Method::get, "/readyz");
        EXPECT_EQ(ready.status, 503) << ready;
        EXPECT_EQ(ready.slug(), "store-unavailable");
        EXPECT_NE(ready.text_at("/detail").find("No space left"), std::string::npos) << ready;
    }
    EXPECT_EQ(server.get(id).status, 200) << "reads still work";
    empty_disk(server);
    // Nothing else writes: the server finds out by itself.
    EXPECT_EQ(server.call(Method::get, "/readyz").status, 200);
    EXPECT_EQ(server.call(Method::get, "/readyz").status, 200);
    EXPECT_EQ(server.patch(id, "*", R"({"state": {"n": 2}})").status, 200);
}

TEST(Probes, ARefusedWriteDoesNotMakeAServerUnready) {
    std::size_t most_pages = 1'000'000;
    ApiServer server("sqlite", {.store = {.most_pages = [&] { return most_pages; }}});
    const std::string id = server.start_id();
    EXPECT_EQ(server.patch(id, "9", R"({"state": {}})").status, 409);
    EXPECT_EQ(server.call(Method::get, "/readyz").status, 200);
    most_pages = 1;  // the file cannot grow
    const std::string large = R"({"state": {"text": ")" + std::string(500'000, 'x') + R"("}})";
    EXPECT_EQ(server.patch(id, "*", large).status, 503);
    // A small write still succeeds, and readiness makes one.
    EXPECT_EQ(server.call(Method::get, "/readyz").status, 200);
}

TEST(Probes, TheVersionIsThatOfTheBuild) {
    ApiServer server("memory");
    const Reply version = server.call(Method::get, "/version");
    EXPECT_EQ(version.status, 200);
    EXPECT_EQ(version.text_at("/name"), "holdfast");
    EXPECT_EQ(version.text_at("/version"), build_version);
}

TEST(Probes, MetricsCountWhatHappened) {
    ApiServer server("sqlite");
    const std::string id = server.start_id(R"({"n": 1})");
    server.patch(id, "1", R"({"state": {"n": 2}})");
    server.patch(id, "1", R"({"state": {"n": 3}})");
    EXPECT_EQ(server.call(Method::get, "/metrics").header("Content-Type"),
              "text/plain; version=0.0.4");
    EXPECT_EQ(server.metric(R"(holdfast_operations_total{operation="start"})"), 1);
    EXPECT_EQ(server.metric(R"(holdfast_operations_total{operation="editState"})"), 2);
    EXPECT_EQ(server.metric(R"(holdfast_conflicts_total{resolution="rejected"})"), 1);
    EXPECT_EQ(server.metric("holdfast_commits_total"), 4);
    EXPECT_EQ(server.metric("holdfast_operations_per_commit_sum"), 4);
    EXPECT_EQ(server.metric("holdfast_commit_seconds_count"), 4);
    EXPECT_EQ(server.metric("holdfast_queue_depth"), 0);
}

TEST(Probes, NoMetricContainsAnId) {
    ApiServer server("memory");
    const std::string id = server.start_id();
    server.patch(id, "1", R"({"state": {"n": 2}})");
    EXPECT_EQ(server.call(Method::get, "/metrics").text.find(id), std::string::npos);
}

TEST(FullQueue, OneMoreOperationIsRefusedWithRetryAfter) {
    HeldCommit held;
    ApiServer server("sqlite", {.store = held.options(), .limits = {.queue = 1}});
    const std::string id = server.start_id();
    std::promise<Reply> committing;
    std::promise<Reply> queued;
    const auto cancel_later = [&](std::promise<Reply>& answer) {
        return named_thread("caller", [&](std::stop_token) {
            const std::string target = ApiServer::path_of(id) + "/cancel";
            answer.set_value(server.client().call(Method::post, target));
        });
    };
    held.arm();
    const std::jthread first = cancel_later(committing);
    held.wait_until_held();
    const std::jthread second = cancel_later(queued);
    EXPECT_TRUE(eventually([&] { return server.metric("holdfast_queue_depth") >= 1; }));

    const Reply refused = server.patch(id, "*", R"({"state": {"n": 1}})");
    const Reply read = server.get(id);
    held.let_go();
    EXPECT_EQ(refused.status, 429) << refused;
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_EQ(refused.header("Content-Type"), "application/problem+json");
    EXPECT_EQ(read.status, 200) << "reads do not queue behind writes";
    EXPECT_TRUE(committing.get_future().get().at("/cancelled").as_bool());
    EXPECT_FALSE(queued.get_future().get().at("/cancelled").as_bool());
    EXPECT_EQ(server.get(id).number_at("/version"), 2u);
}

// Requests that a browser sends for a page of another site, to a server without a token.
class CrossSite : public ::testing::Test {
protected:
    Reply cancel(const Fields& headers) {
        return server_.call(Method::post, ApiServer::path_of(id_) + "/cancel", "", headers);
    }
    std::string origin() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
    std::string status() { return server_.get(id_).text_at("/status"); }

    ApiServer server_{"memory"};
    std::string id_ = server_.start_id();
};

TEST_F(CrossSite, AChangeForAPageOfAnotherSiteIsRefused) {
    for (const Fields& headers :
         {Fields{{"Origin", "https://evil.example"}}, Fields{{"Origin", "null"}},
          Fields{{"Origin", "http://127.0.0.1"}},
          Fields{{"Origin", origin()}, {"Origin", origin()}},
          Fields{{"Sec-Fetch-Site", "cross-site"}}, Fields{{"Sec-Fetch-Site", "same-site"}},
          Fields{{"Sec-Fetch-Site", "cross-site"}, {"Origin", origin()}}})
        EXPECT_EQ(cancel(headers).status, 403) << headers.front().second;
    EXPECT_EQ(status(), "running");
}

TEST_F(CrossSite, FormsAndCompressedBodiesAreRefused) {
    for (const char* type : {"text/plain", "application/x-www-form-urlencoded; charset=utf-8",
                             "Multipart/Form-Data; boundary=x"})
        EXPECT_EQ(cancel({{"Content-Type", type}}).status, 415) << type;
    EXPECT_EQ(cancel({{"Content-Encoding", "gzip"}}).status, 415);
    EXPECT_EQ(status(), "running");
}

// Without a credential programs are the local admin, and browsers are nobody.
TEST_F(CrossSite, ABrowserMustHaveSignedIn) {
    for (const Fields& headers :
         {Fields{{"Origin", "https://evil.example"}}, Fields{{"Origin", origin()}},
          Fields{{"Sec-Fetch-Site", "same-origin"}}, Fields{{"Sec-Fetch-Site", "none"}},
          Fields{{"Sec-Fetch-Site", "cross-site"}}}) {
        const Reply read = server_.call(Method::get, ApiServer::path_of(id_), "", headers);
        EXPECT_EQ(read.status, 401) << headers.front().second;
        EXPECT_EQ(read.header("Access-Control-Allow-Origin"), "");
    }
    EXPECT_EQ(cancel({{"Origin", origin()}, {"Sec-Fetch-Site", "same-origin"}}).status, 401);
    EXPECT_EQ(status(), "running");
    EXPECT_EQ(cancel({}).status, 200);
}

}  // namespace
}  // namespace holdfast::testing
