// HTTPS with real handshakes: our own client, and the openssl command as a client that can do what
// ours never does.
#include "http/wire/tls.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <list>

#include "base/threads/threads.h"
#include "http/raw_client.h"
#include "http/responses/problem.h"
#include "http/router.h"
#include "http/wire/client_connection.h"
#include "http/wire/server.h"
#include "support/certificates.h"
#include "support/eventually.h"

namespace holdfast::http {
namespace {

using namespace std::chrono_literals;
using holdfast::testing::Authority;
using holdfast::testing::Certificate;
using holdfast::testing::run_shell;

// One for all tests: making keys takes long.
const Authority& authority() {
    static const Authority made;
    return made;
}

const Certificate& usual_certificate() {
    static const Certificate made = authority().issue("server");
    return made;
}

ServerTlsFiles files_of(const Certificate& certificate) {
    return {.certificate = certificate.file, .key = certificate.key, .client_ca = {}};
}

struct TlsSite {
    explicit TlsSite(const ServerTlsFiles& files = files_of(usual_certificate()),
                     ServerOptions options = {})
        : tls(*ServerTls::open(files)),
          router(Gate()),
          server(
              with(std::move(options)), [this](Request& head) { return router.admit(head); },
              [this](Request request, Respond respond) {
                  router.handle(std::move(request), std::move(respond));
              }) {
        router.add({Method::get, "/scheme", Access::guarded,
                    Description("test", everyone, "A route."),
                    [](Request request, Respond respond) {
                        const bool secure = request.sender.scheme == Scheme::https;
                        respond({200, {}, request.sender.address + (secure ? " https" : " http")});
                    }});
        router.add({Method::put, "/echo", Access::guarded,
                    Description("test", everyone, "A route.").any_parameters(),
                    [](Request request, Respond respond) {
                        respond({200, {}, std::move(request.body)});
                    }});
        EXPECT_TRUE(server.start());
    }
    ServerOptions with(ServerOptions options) const {
        options.tls = tls.get();
        return options;
    }

    std::string url(const std::string& host = "127.0.0.1") const {
        return "https://" + host + ":" + std::to_string(server.port());
    }
    ClientConnection client(ClientOptions options = {.ca = authority().file()}) const {
        return *ClientConnection::to(url(), std::move(options));
    }
    // What the openssl command prints with these arguments, after it has asked for /scheme.
    std::string s_client(const std::string& arguments) const {
        return run_shell(
                   "printf 'GET /scheme HTTP/1.1\\r\\nHost: localhost\\r\\n"
                   "Connection: close\\r\\n\\r\\n' | timeout 20 openssl s_client -quiet -connect "
                   "127.0.0.1:" +
                   std::to_string(server.port()) + " " + arguments)
            .output;
    }

    std::unique_ptr<ServerTls> tls;
    Router router;
    Server server;
};

Result<Response> get_scheme(ClientConnection& client) {
    return client.exchange(Method::get, "/scheme");
}

// The text of the error, empty if there was none.
std::string failure(Result<Response> answer) { return answer ? "" : answer.error().message; }

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(Tls, ARequestIsAnsweredAndKnowsThatItWasEncrypted) {
    const TlsSite site;
    auto client = site.client();
    const auto answer = get_scheme(client);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->body, "127.0.0.1 https");
}

// What a proxy passes on, and what somebody else only claims.
TEST(Tls, AForwardedAddressCountsFromAProxyOnly) {
    http::Headers forwarded;
    forwarded.add("X-Forwarded-For", "198.51.100.1, 203.0.113.9");
    forwarded.add("X-Forwarded-Proto", "http");
    ServerOptions behind;
    behind.proxies = *Proxies::parse({"127.0.0.1"});
    for (const auto& [options, seen] :
         {std::pair{behind, "203.0.113.9 http"}, std::pair{ServerOptions{}, "127.0.0.1 https"}}) {
        const TlsSite site(files_of(usual_certificate()), options);
        auto client = site.client();
        const auto answer = client.exchange(Method::get, "/scheme", forwarded);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, seen);
    }
}

TEST(Tls, AProxyHasNoLimitOfConnectionsPerAddress) {
    ServerOptions behind;
    behind.quota.per_loopback_address = 2;
    for (const bool is_proxy : {false, true}) {
        if (is_proxy) behind.proxies = *Proxies::parse({"127.0.0.0/8"});
        const TlsSite site(files_of(usual_certificate()), behind);
        std::list<ClientConnection> clients;
        int served = 0;
        for (int i = 0; i < 4; ++i) {
            clients.push_back(site.client());
            const auto answer = get_scheme(clients.back());
            served += answer && answer->status == 200 ? 1 : 0;
        }
        EXPECT_EQ(served, is_proxy ? 4 : 2);
    }
}

TEST(Tls, LargeBodiesArriveWholeBothWays) {
    const TlsSite site;
    auto client = site.client();
    std::string body;
    for (int i = 0; body.size() < 3'000'000; ++i) body += std::to_string(i) + ' ';
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{16'384}, std::size_t{16'385}, body.size()}) {
        const auto answer = client.exchange(Method::put, "/echo", {}, body.substr(0, size));
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->status, 200);
        EXPECT_TRUE(answer->body == body.substr(0, size)) << size;
    }
}

TEST(Tls, OnlyVersions12And13AreSpoken) {
    const TlsSite site;
    for (const char* version : {"-tls1_2", "-tls1_3"})
        EXPECT_TRUE(says(site.s_client(version), "127.0.0.1 https")) << version;
    for (const char* version : {"-tls1", "-tls1_1"}) {
        const std::string said = site.s_client(std::string(version) + " -cipher ALL:@SECLEVEL=0");
        EXPECT_TRUE(says(said, "alert protocol version")) << version << said;
        EXPECT_FALSE(says(said, "127.0.0.1 https")) << said;
    }
}

// Forward secrecy and authenticated encryption.
TEST(Tls, OnlyRecommendedSuitesAreSpoken) {
    const TlsSite site;
    for (const char* good : {"ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
                             "ECDHE-ECDSA-CHACHA20-POLY1305"})
        EXPECT_TRUE(says(site.s_client(std::string("-tls1_2 -cipher ") + good), " https")) << good;
    for (const char* bad : {"ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA384",
                            "AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-CCM8", "NULL", "aNULL"}) {
        const std::string said =
            site.s_client(std::string("-tls1_2 -cipher ") + bad + ":@SECLEVEL=0");
        EXPECT_TRUE(says(said, "handshake failure")) << bad << said;
    }
}

// A client could otherwise have the server compute a handshake for a few bytes.
TEST(Tls, ARenegotiationIsRefused) {
    const TlsSite site;
    const std::string said = run_shell(
                                 "(sleep 0.2; echo R; sleep 0.5) | timeout 20 openssl s_client "
                                 "-tls1_2 -connect 127.0.0.1:" +
                                 std::to_string(site.server.port()))
                                 .output;
    EXPECT_TRUE(says(said, "no renegotiation")) << said;
}

TEST(Tls, AClientTrustsOnlyTheAuthoritiesThatItWasGiven) {
    const TlsSite site;
    const Authority other;
    for (const std::string& ca : {std::string(), other.file()}) {
        auto client = site.client({.ca = ca});
        const auto answer = get_scheme(client);
        ASSERT_FALSE(answer);
        EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
        EXPECT_TRUE(says(answer.error().message, "certificate is not trusted"))
            << answer.error().message;
    }
    EXPECT_TRUE(says(failure([&] {
                         auto client = site.client({});
                         return get_scheme(client);
                     }()),
                     "--ca FILE"));
}

TEST(Tls, ACertificateForAnotherHostIsNotTrusted) {
    const TlsSite site(
        files_of(authority().issue("elsewhere", "DNS:elsewhere.example,IP:127.0.0.2")));
    auto client = site.client();
    EXPECT_TRUE(says(failure(get_scheme(client)), "certificate is not trusted"));
}

TEST(Tls, ANameIsComparedAsWellAsAnAddress) {
    const TlsSite site(files_of(authority().issue("named", "DNS:localhost")));
    auto by_name = *ClientConnection::to(site.url("localhost"), {.ca = authority().file()});
    EXPECT_EQ(failure(get_scheme(by_name)), "");
    auto by_address = site.client();
    EXPECT_TRUE(says(failure(get_scheme(by_address)), "not trusted"));
}

TEST(Tls, WhoSpeaksTheOtherSchemeIsToldSo) {
    const TlsSite site;
    auto plain = *ClientConnection::to("http://127.0.0.1:" + std::to_string(site.server.port()));
    const auto answer = get_scheme(plain);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 400);
    EXPECT_TRUE(says(answer->body, "https://")) << answer->body;

    Server clear(
        {}, [](Request&) { return std::nullopt; },
        [](Request, Respond respond) { respond({200, {}, "in the clear"}); });
    ASSERT_TRUE(clear.start());
    auto secure = *ClientConnection::to("https://127.0.0.1:" + std::to_string(clear.port()),
                                        {.ca = authority().file()});
    EXPECT_TRUE(says(failure(get_scheme(secure)), "use http://"));
}

TEST(Tls, WithAClientAuthorityOthersAreNotServed) {
    const Authority clients;
    ServerTlsFiles files = files_of(usual_certificate());
    files.client_ca = clients.file();
    const TlsSite site(files);
    const Certificate known = clients.issue("known");
    const Certificate stranger = authority().issue("stranger");

    auto client =
        site.client({.ca = authority().file(), .certificate = known.file, .key = known.key});
    EXPECT_EQ(failure(get_scheme(client)), "");
    for (const ClientOptions& refused :
         {ClientOptions{.ca = authority().file()},
          ClientOptions{
              .ca = authority().file(), .certificate = stranger.file, .key = stranger.key}}) {
        auto other = site.client(refused);
        EXPECT_NE(failure(get_scheme(other)), "");
    }
    const std::string with = " -cert " + known.file + " -key " + known.key;
    for (const char* version : {"-tls1_2", "-tls1_3"}) {
        EXPECT_TRUE(says(site.s_client(version + with), " https")) << version;
        EXPECT_FALSE(says(site.s_client(version), " https")) << version;
    }
}

TEST(Tls, AClientThatSendsNoHandshakeHoldsNobodyUpAndIsDropped) {
    ServerOptions impatient;
    impatient.head_time = 100ms;
    const TlsSite site(files_of(usual_certificate()), impatient);
    std::list<RawClient> silent;
    for (int i = 0; i < 40; ++i) silent.emplace_back(site.server.port());
    for (RawClient& begun : silent) begun.send(std::string_view("\x16\x03\x01\x02\x00\x01", 6));
    auto client = site.client();
    EXPECT_EQ(failure(get_scheme(client)), "");
    for (RawClient& dropped : silent) EXPECT_EQ(dropped.read_until_closed(), "");
}

TEST(Tls, HandshakesThatGoOnAreBounded) {
    ServerOptions few;
    few.handshakes = 4;
    const TlsSite site(files_of(usual_certificate()), few);
    std::list<RawClient> silent;
    for (int i = 0; i < 4; ++i) silent.emplace_back(site.server.port());
    // The accepted ones are spread over threads: the next one is refused once all four have begun.
    EXPECT_TRUE(testing::eventually([&] {
        auto client = site.client({.exchange_time = 5s, .ca = authority().file()});
        return !get_scheme(client);
    }));
    silent.clear();
    EXPECT_TRUE(testing::eventually([&] {
        auto client = site.client();
        return get_scheme(client).has_value();
    })) << "they make room when they are gone";
}

TEST(Tls, BeyondTheLimitOfConnectionsTheAnswerSaysSo) {
    ServerOptions few;
    few.quota.connections = 1;
    const TlsSite site(files_of(usual_certificate()), few);
    auto first = site.client();
    ASSERT_EQ(failure(get_scheme(first)), "");
    auto second = site.client();
    const auto answer = get_scheme(second);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 503);
}

// The serial number that a new connection is shown.
std::string serial_of(const TlsSite& site) {
    return run_shell("openssl s_client -connect 127.0.0.1:" + std::to_string(site.server.port()) +
                     " < /dev/null 2> /dev/null | openssl x509 -noout -serial")
        .output;
}

TEST(Tls, AReloadIsForNewConnectionsAndDropsNone) {
    const TlsSite site(files_of(authority().issue("renewed")));
    constexpr int clients = 4;
    constexpr int reloads = 6;
    std::atomic<bool> done = false;
    std::atomic<int> answered = 0;
    std::atomic<int> lost = 0;
    std::vector<std::jthread> load;
    for (int i = 0; i < clients; ++i)
        load.push_back(named_thread("client", [&, i](const std::stop_token&) {
            auto kept = site.client();
            while (!done) {
                auto fresh = site.client();
                const auto answer = get_scheme(i % 2 ? fresh : kept);
                ++(answer ? answered : lost);
            }
        }));
    std::set<std::string> serials{serial_of(site)};
    for (int i = 0; i < reloads; ++i) {
        authority().issue("renewed");
        site.tls->reload();
        serials.insert(serial_of(site));
        const int before = answered;
        EXPECT_TRUE(testing::eventually([&] { return answered > before + clients; }));
    }
    done = true;
    load.clear();
    EXPECT_EQ(serials.size(), 1U + reloads);
    EXPECT_EQ(lost, 0);
}

TEST(Tls, ChangedFilesAreSeenWithoutASignal) {
    ServerTlsFiles files = files_of(authority().issue("watched"));
    files.look_every = 0ms;
    const TlsSite site(files);
    const std::string before = serial_of(site);
    authority().issue("watched");
    EXPECT_NE(serial_of(site), before);
}

TEST(Tls, BrokenFilesLeaveWhatWasReadBefore) {
    ServerTlsFiles files = files_of(authority().issue("broken"));
    files.look_every = 0ms;
    const TlsSite site(files);
    const std::string before = serial_of(site);
    std::ofstream(files.certificate) << "nonsense";
    EXPECT_EQ(serial_of(site), before);
    std::filesystem::remove(files.key);
    site.tls->reload();
    EXPECT_EQ(serial_of(site), before);
    authority().issue("broken");
    EXPECT_NE(serial_of(site), before) << "mended";
}

TEST(Tls, FilesThatCannotBeUsedAreRefusedWithWhatIsWrong) {
    const Certificate good = authority().issue("good");
    const Certificate other = authority().issue("other");
    const std::string nonsense = authority().path("nonsense.pem");
    std::ofstream(nonsense) << "nonsense\n";
    const std::string weak = authority().path("weak");
    run_shell("openssl req -x509 -newkey rsa:1024 -nodes -days 1 -subj /CN=weak -keyout " + weak +
              ".key -out " + weak + ".pem");
    const std::string locked = authority().path("locked.key");
    run_shell("openssl pkey -in " + good.key + " -aes256 -passout pass:secret -out " + locked);
    const auto refusal = [](const ServerTlsFiles& files) {
        const auto opened = ServerTls::open(files);
        return opened ? std::string() : opened.error().message;
    };
    EXPECT_EQ(refusal(files_of(good)), "");
    EXPECT_TRUE(says(refusal({.certificate = good.file, .key = other.key}), "--tls-key"));
    EXPECT_TRUE(says(refusal({.certificate = nonsense, .key = good.key}), "--tls-certificate"));
    EXPECT_TRUE(says(refusal({.certificate = good.file, .key = nonsense}), "chmod 600"));
    ::chmod(nonsense.c_str(), 0600);
    EXPECT_TRUE(says(refusal({.certificate = good.file, .key = nonsense}), "in PEM"));
    EXPECT_TRUE(says(refusal({.certificate = good.file, .key = locked}), "without a password"));
    EXPECT_TRUE(says(refusal({.certificate = weak + ".pem", .key = weak + ".key"}), "2048 bits"));
    EXPECT_TRUE(says(refusal({.certificate = "/nowhere", .key = good.key}), "cannot be read"));
    ServerTlsFiles with_clients = files_of(good);
    with_clients.client_ca = nonsense;
    EXPECT_TRUE(says(refusal(with_clients), "--tls-client-ca"));

    for (const ClientOptions& bad : {ClientOptions{.ca = nonsense}, ClientOptions{.ca = "/nowhere"},
                                     ClientOptions{.certificate = nonsense},
                                     ClientOptions{.certificate = good.file, .key = other.key}}) {
        const auto client = ClientConnection::to("https://localhost:1", bad);
        ASSERT_FALSE(client);
        EXPECT_EQ(client.error().code, ErrorCode::invalid_argument);
    }
}

}  // namespace
}  // namespace holdfast::http
