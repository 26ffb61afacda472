#include "http/wire/server.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <future>
#include <list>
#include <memory>

#include "base/threads/threads.h"
#include "http/responses/problem.h"
#include "http/router.h"
#include "http/wire/client_connection.h"
#include "raw_client.h"
#include "support/eventually.h"

namespace holdfast::http {
namespace {

using namespace std::chrono_literals;

// Holds a request until the test releases it.
class Latch {
public:
    Handler handler() {
        return [this](Request, Respond respond) { held_.set_value(std::move(respond)); };
    }
    Respond taken() { return held_.get_future().get(); }

private:
    std::promise<Respond> held_;
};

struct Site {
    explicit Site(ServerOptions options = {}, GateOptions gate = {})
        : router(Gate(std::move(gate))),
          server(
              std::move(options), [this](Request& head) { return router.admit(head); },
              [this](Request request, Respond respond) {
                  router.handle(std::move(request), std::move(respond));
              }) {
        router.add(
            {Method::get, "/healthz", Access::open,
             Description("test", everyone, "A route.").any_parameters(),
             [](Request, Respond respond) { respond(json_response(200, std::string("{}"))); }});
        for (const Method method : {Method::post, Method::put})
            router.add({method, "/echo", Access::guarded,
                        Description("test", everyone, "A route.").any_parameters(),
                        [](Request request, Respond respond) {
                            respond({200, {}, std::move(request.body)});
                        }});
        router.add({Method::get, "/held", Access::guarded,
                    Description("test", everyone, "A route.").any_parameters(), latch.handler()});
        router.add({Method::get, "/dropped", Access::guarded,
                    Description("test", everyone, "A route.").any_parameters(),
                    [](Request, Respond) {}});
        router.add({Method::get, "/throws", Access::guarded,
                    Description("test", everyone, "A route.").any_parameters(),
                    [](Request, Respond) { throw std::runtime_error("on purpose"); }});
        EXPECT_TRUE(server.start());
    }

    std::uint16_t port() const { return server.port(); }
    std::string answer(std::string_view bytes) {
        RawClient client(port());
        client.send(bytes);
        return client.read_response();
    }

    Latch latch;
    Router router;
    Server server;
};

ServerOptions impatient() {
    ServerOptions options;
    options.head_time = 50ms;
    options.idle_time = 50ms;
    options.body_grace = 50ms;
    return options;
}

std::string get(std::string_view path) {
    return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

std::string post(std::string_view headers, std::string_view body = {}) {
    return "POST /echo HTTP/1.1\r\nHost: localhost\r\n" + std::string(headers) + "\r\n" +
           std::string(body);
}

bool has(std::string_view text, std::string_view part) { return text.contains(part); }

int status_of(std::string_view response) {
    return response.size() > 12 ? std::stoi(std::string(response.substr(9, 3))) : 0;
}

TEST(Server, AnAnswerCarriesTheServersHeaders) {
    Site site;
    const std::string response = site.answer(get("/healthz"));
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\n"));
    for (const char* header :
         {"Content-Length: 2\r\n", "Content-Type: application/json\r\n", "Server: holdfast\r\n",
          "X-Content-Type-Options: nosniff\r\n", "Cache-Control: no-store\r\n"})
        EXPECT_TRUE(has(response, header)) << header;
    EXPECT_TRUE(response.ends_with("\r\n\r\n{}"));
}

// A site with a large response, and clients that ask for it and do not read it.
struct SlowReaders {
    explicit SlowReaders(ServerOptions options) : site(std::move(options)) {
        site.router.add({Method::get, "/large", Access::guarded,
                         Description("test", everyone, "A route.").any_parameters(),
                         [](Request, Respond respond) {
                             respond({200, {}, std::string(16 * 1024 * 1024, 'x')});
                         }});
    }
    void add(int count) {
        for (int i = 0; i < count; ++i) clients.emplace_back(site.port()).send(get("/large"));
    }

    Site site;
    std::list<RawClient> clients;
};

TEST(Server, ResponsesThatWaitForSlowReadersAreBoundedTogether) {
    ServerOptions options;
    options.outgoing_bytes = 40 * 1024 * 1024;
    SlowReaders readers(options);
    readers.add(3);
    EXPECT_TRUE(
        testing::eventually([&] { return status_of(readers.site.answer(get("/large"))) == 503; }));
    EXPECT_EQ(status_of(readers.site.answer(get("/healthz"))), 200) << "small ones are sent";
    readers.clients.clear();
    EXPECT_TRUE(
        testing::eventually([&] { return status_of(readers.site.answer(get("/large"))) == 200; }));
}

TEST(Server, AChangeIsRefusedBeforeItIsMadeIfItsResponseHasNoRoom) {
    ServerOptions options;
    options.outgoing_bytes = 1024 * 1024;
    Site site(options);
    RawClient slow(site.port());
    const std::string body(4 * 1024 * 1024, 'x');
    slow.send("PUT /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: " +
              std::to_string(body.size()) + "\r\n\r\n" + body);
    EXPECT_TRUE(testing::eventually(
        [&] { return status_of(site.answer(post("Content-Length: 1\r\n", "x"))) == 503; }));
    EXPECT_EQ(slow.read_response().substr(0, 12), "HTTP/1.1 200") << "this one was made";
    EXPECT_TRUE(testing::eventually(
        [&] { return status_of(site.answer(post("Content-Length: 1\r\n", "x"))) == 200; }));
}

TEST(Server, AClientThatStopsReadingIsDropped) {
    ServerOptions options;
    options.idle_time = 500ms;
    options.outgoing_bytes = 17 * 1024 * 1024;
    SlowReaders readers(options);
    readers.add(1);
    const auto status = [&] { return status_of(readers.site.answer(get("/large"))); };
    EXPECT_TRUE(testing::eventually([&] { return status() == 503; }));
    EXPECT_TRUE(testing::eventually([&] { return status() == 200; })) << "the other was dropped";
}

TEST(Server, AClientThatReadsSteadilyGetsALargeResponse) {
    SlowReaders readers({});
    EXPECT_EQ(readers.site.answer(get("/large")).size() / (16 * 1024 * 1024), 1U);
}

TEST(Server, AConnectionIsKeptAlive) {
    Site site;
    RawClient client(site.port());
    for (int i = 0; i < 3; ++i) {
        client.send(post("Content-Length: 5\r\n", "hello"));
        EXPECT_TRUE(client.read_response().ends_with("\r\n\r\nhello"));
    }
}

TEST(Server, PipelinedRequestsAreAnsweredInOrder) {
    Site site;
    RawClient client(site.port());
    client.send(post("Content-Length: 1\r\n", "a") + get("/nowhere") +
                post("Transfer-Encoding: chunked\r\n", "1\r\nb\r\n0\r\n\r\n") +
                post("Content-Length: 1\r\nConnection: close\r\n", "c"));
    EXPECT_TRUE(client.read_response().ends_with("\r\n\r\na"));
    EXPECT_EQ(status_of(client.read_response()), 404);
    EXPECT_TRUE(client.read_response().ends_with("\r\n\r\nb"));
    EXPECT_TRUE(client.read_until_closed().ends_with("\r\n\r\nc"));
}

TEST(Server, HeadAnnouncesALengthAndSendsNoBody) {
    Site site;
    RawClient client(site.port());
    client.send("HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    const std::string response = client.read_until_closed();
    EXPECT_TRUE(has(response, "Content-Length: 2\r\n"));
    EXPECT_TRUE(response.ends_with("\r\n\r\n"));
}

TEST(Server, HttpOneZeroClosesUnlessAskedNotTo) {
    Site site;
    RawClient plain(site.port());
    plain.send("GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n");
    EXPECT_TRUE(has(plain.read_until_closed(), "Connection: close\r\n"));
    RawClient kept(site.port());
    kept.send("GET /healthz HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_TRUE(has(kept.read_response(), "Connection: keep-alive\r\n"));
    kept.send(get("/healthz"));
    EXPECT_EQ(status_of(kept.read_response()), 200);
}

TEST(Server, AnExpectedContinueIsSent) {
    Site site;
    RawClient client(site.port());
    client.send(post("Content-Length: 2\r\nExpect: 100-continue\r\n"));
    EXPECT_EQ(client.read_response(), "HTTP/1.1 100 Continue\r\n\r\n");
    client.send("hi");
    EXPECT_TRUE(client.read_response().ends_with("\r\n\r\nhi"));
}

TEST(Server, ARefusedExpectationGetsTheRefusalInstead) {
    Site site;
    EXPECT_EQ(status_of(site.answer(post("Content-Length: 9999999\r\nExpect: 100-continue\r\n"))),
              413);
}

TEST(Server, MalformedRequestsGetAProblemAndTheConnectionCloses) {
    Site site;
    for (const std::string& bytes :
         {post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
          post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"), post("X: a\r\n b\r\n"),
          std::string("GET /healthz HTTP/1.1\nHost: localhost\n\n"),
          std::string("G@T / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
          std::string("GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n"
                      "Connection: close\r\n\r\n")}) {
        RawClient client(site.port());
        client.send(bytes);
        const std::string response = client.read_until_closed();
        EXPECT_EQ(status_of(response), 400) << bytes;
        EXPECT_TRUE(has(response, "application/problem+json"));
        EXPECT_TRUE(has(response, "Connection: close\r\n"));
    }
}

TEST(Server, HeadsBeyondTheirLimitsAreRefused) {
    Site site;
    const std::string long_field = "X: " + std::string(16 * 1024, 'a') + "\r\n";
    EXPECT_EQ(status_of(site.answer(post(long_field))), 431);
    EXPECT_EQ(status_of(site.answer(get("/" + std::string(9 * 1024, 'a')))), 414);
    std::string fields;
    for (int i = 0; i < 101; ++i) fields += "X: y\r\n";
    EXPECT_EQ(status_of(site.answer(post(fields))), 431);
}

TEST(Server, AnEndlessHeaderIsRefused) {
    Site site;
    RawClient client(site.port());
    client.send("GET / HTTP/1.1\r\nX: " + std::string(40 * 1024, 'a'));
    EXPECT_EQ(status_of(client.read_until_closed()), 431);
}

TEST(Server, BodiesBeyondTheirLimitAreRefused) {
    Site site;
    const std::string two_mebibytes(2 * 1024 * 1024, 'x');
    const std::string length = "Content-Length: " + std::to_string(two_mebibytes.size()) + "\r\n";
    EXPECT_EQ(status_of(site.answer(post(length))), 413);
    RawClient client(site.port());
    client.send("PUT /echo HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n" + two_mebibytes);
    EXPECT_TRUE(client.read_response().ends_with("\r\n\r\n" + two_mebibytes));
}

TEST(Server, WithoutATokenNoBodyIsRead) {
    Site site({}, {.host_names = {}, .token = "s3cret"});
    RawClient client(site.port());
    client.send(post("Content-Length: 10000000000\r\n"));
    const std::string response = client.read_until_closed();
    EXPECT_EQ(status_of(response), 401);
    EXPECT_TRUE(has(response, "WWW-Authenticate: Bearer\r\n"));
    EXPECT_EQ(status_of(site.answer(get("/healthz"))), 200);
}

TEST(Server, ASlowHeadTimesOut) {
    Site site(impatient());
    RawClient client(site.port());
    client.send("GET /healthz HTTP/1.1\r\nHost: loc");
    EXPECT_EQ(status_of(client.read_until_closed()), 408);
}

TEST(Server, ASlowBodyTimesOut) {
    Site site(impatient());
    RawClient client(site.port());
    client.send(post("Content-Length: 100\r\n", "a few"));
    EXPECT_EQ(status_of(client.read_until_closed()), 408);
}

TEST(Server, AnIdleConnectionClosesSilently) {
    Site site(impatient());
    RawClient client(site.port());
    client.send(get("/healthz"));
    EXPECT_EQ(status_of(client.read_response()), 200);
    EXPECT_EQ(client.read_until_closed(), "");
}

// Both ends of a thousand connections are in this process.
void allow_many_descriptors() {
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
}

TEST(Server, AConnectionBeyondTheTotalIsRefusedUntilAnotherCloses) {
    allow_many_descriptors();
    Site site;
    std::list<RawClient> clients;
    for (int i = 0; i < 1024; ++i) clients.emplace_back(site.port());
    RawClient extra(site.port());
    EXPECT_EQ(status_of(extra.read_until_closed()), 503);

    clients.front().send("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    clients.front().read_until_closed();
    clients.pop_front();
    // The server may notice the client's close after its next accept.
    EXPECT_TRUE(
        testing::eventually([&] { return status_of(site.answer(get("/healthz"))) == 200; }));
}

TEST(Server, AnAddressHasALimitOfItsOwn) {
    ServerOptions options;
    options.quota.per_loopback_address = 2;
    Site site(options);
    RawClient first(site.port());
    RawClient second(site.port());
    RawClient third(site.port());
    EXPECT_EQ(status_of(third.read_until_closed()), 503);
    first.send(get("/healthz"));
    EXPECT_EQ(status_of(first.read_response()), 200);
}

TEST(Server, AnAnswerMayComeFromAnotherThread) {
    Site site;
    RawClient client(site.port());
    client.send(get("/held"));
    Respond respond = site.latch.taken();
    named_thread("answers", [&](const std::stop_token&) { respond({200, {}, "later"}); }).join();
    EXPECT_TRUE(client.read_response().ends_with("later"));
}

TEST(Server, AnAnswerHeldBackDoesNotHoldUpOtherConnections) {
    Site site;
    RawClient waiting(site.port());
    waiting.send(get("/held"));
    Respond respond = site.latch.taken();
    EXPECT_EQ(status_of(site.answer(get("/healthz"))), 200);
    respond({200, {}, "late"});
    EXPECT_TRUE(waiting.read_response().ends_with("late"));
}

TEST(Server, ADroppedOrThrowingRequestIsAnswered500) {
    Site site;
    RawClient client(site.port());
    client.send(get("/dropped") + get("/throws") + get("/healthz"));
    EXPECT_EQ(status_of(client.read_response()), 500);
    EXPECT_EQ(status_of(client.read_response()), 500);
    EXPECT_EQ(status_of(client.read_response()), 200);
}

TEST(Server, AResponseHeaderCannotBeginAnother) {
    Site site;
    RawClient client(site.port());
    client.send(get("/held"));
    Response response;
    response.headers.add("Location", "/a\r\nSet-Cookie: x");
    site.latch.taken()(std::move(response));
    EXPECT_TRUE(has(client.read_response(), "Location: /a  Set-Cookie: x\r\n"));
}

TEST(Server, StoppingLetsARequestInFlightFinish) {
    Site site;
    RawClient idle(site.port());
    RawClient busy(site.port());
    busy.send(get("/held"));
    Respond respond = site.latch.taken();
    const auto stopping =
        named_thread("stops", [&](const std::stop_token&) { site.server.stop(20s); });
    EXPECT_EQ(idle.read_until_closed(), "");  // by now the server is stopping
    respond({200, {}, "finished"});
    const std::string response = busy.read_until_closed();
    EXPECT_TRUE(response.ends_with("finished"));
    EXPECT_TRUE(has(response, "Connection: close\r\n"));
}

TEST(Server, StoppingDoesNotWaitBeyondItsGrace) {
    Site site;
    RawClient client(site.port());
    client.send(get("/held"));
    Respond respond = site.latch.taken();
    site.server.stop(10ms);
    EXPECT_EQ(client.read_until_closed(), "");
    respond({200, {}, "nobody hears this"});
}

TEST(Server, AnAnswerMayOutliveTheServer) {
    Respond respond;
    {
        Site site;
        RawClient client(site.port());
        client.send(get("/held"));
        respond = site.latch.taken();
    }
    respond({200, {}, "nobody hears this"});
}

TEST(Server, SeveralIoThreadsServeAndStop) {
    ServerOptions options;
    options.io_threads = 3;
    Site site(options);
    std::list<RawClient> clients;
    for (int i = 0; i < 12; ++i) clients.emplace_back(site.port()).send(get("/healthz"));
    for (RawClient& client : clients) EXPECT_EQ(status_of(client.read_response()), 200);
    site.server.stop(20s);
    for (RawClient& client : clients) EXPECT_EQ(client.read_until_closed(), "");
}

TEST(Server, APortInUseIsUnavailable) {
    Site site;
    ServerOptions options;
    options.port = site.port();
    Server second(options, nullptr, nullptr);
    EXPECT_EQ(second.start().error().code, ErrorCode::unavailable);
    options.address = "localhost";
    EXPECT_EQ(Server(options, nullptr, nullptr).start().error().code, ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace holdfast::http
