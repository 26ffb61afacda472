// `holdfast serve` with TLS or behind a proxy, as a process, and the command line as its client.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "http/wire/client_connection.h"
#include "support/certificates.h"
#include "support/eventually.h"
#include "support/server_process.h"

namespace holdfast::testing {
namespace {

class ServedTls : public ::testing::Test {
protected:
    ServedTls() {
        token_file_ = authority_.path("token");
        std::ofstream(token_file_) << "0123456789abcdef\n";
        ::chmod(token_file_.c_str(), 0600);
    }
    std::vector<std::string> tls_flags() const {
        return {"--tls-certificate", certificate_.file, "--tls-key", certificate_.key};
    }
    // What `serve` says before it ends with exit code 2.
    static std::string refusal(std::vector<std::string> flags) {
        std::vector<std::string> all = {"serve", "--store", "memory:"};
        all.insert(all.end(), flags.begin(), flags.end());
        const Ended ran = run_to_end(all);
        EXPECT_EQ(ran.code, 2) << ran.output;
        return ran.output;
    }
    std::string serial_of(const ServerProcess& server) const {
        return run_shell("openssl s_client -connect " + server.url().substr(8) +
                         " < /dev/null 2> /dev/null | openssl x509 -noout -serial")
            .output;
    }
    int status_of(const ServerProcess& server, const http::Headers& headers) const {
        auto client = http::ClientConnection::to(server.url(), {.ca = authority_.file()});
        const auto answer = client->exchange(http::Method::get, "/api/v1/me", headers);
        return answer ? answer->status : 0;
    }

    const Authority authority_;
    const Certificate certificate_ = authority_.issue("server");
    std::string token_file_;
};

TEST_F(ServedTls, PlainHttpBeyondThisMachineIsRefused) {
    const std::string said = refusal({"--listen", "0.0.0.0:0", "--token-file", token_file_});
    for (const char* way_out : {"--tls-certificate", "--behind-proxy", "127.0.0.1"})
        EXPECT_NE(said.find(way_out), std::string::npos) << said;
}

TEST_F(ServedTls, BeyondThisMachineACredentialIsNeededToo) {
    std::vector<std::string> flags = tls_flags();
    flags.insert(flags.end(), {"--listen", "0.0.0.0:0"});
    EXPECT_NE(refusal(flags).find("--token-file"), std::string::npos);
    EXPECT_NE(
        refusal({"--listen", "127.0.0.1:0", "--behind-proxy", "127.0.0.1"}).find("--token-file"),
        std::string::npos)
        << "who comes through the proxy comes from the network";
}

TEST_F(ServedTls, HalfOfTheSettingsAreRefused) {
    EXPECT_NE(refusal({"--tls-certificate", certificate_.file}).find("--tls-key"),
              std::string::npos);
    EXPECT_NE(refusal({"--tls-client-ca", authority_.file()}).find("--tls-certificate"),
              std::string::npos);
    EXPECT_NE(refusal({"--behind-proxy", "proxy.example"}).find("10.0.0.0/8"), std::string::npos);
    std::vector<std::string> flags = tls_flags();
    flags.emplace_back("--demo");
    EXPECT_NE(refusal(flags).find("--demo-still"), std::string::npos);
    ::chmod(certificate_.key.c_str(), 0644);
    EXPECT_NE(refusal(tls_flags()).find("chmod 600"), std::string::npos);
}

TEST_F(ServedTls, TheCommandLineSpeaksIt) {
    ServerProcess server("memory:", tls_flags());
    EXPECT_TRUE(server.url().starts_with("https://")) << server.url();
    const auto run = [&](std::vector<std::string> command) {
        command.insert(command.end(), {"--server", server.url(), "--ca", authority_.file()});
        const Ended ran = run_to_end(command);
        EXPECT_EQ(ran.code, 0) << command.front() << ran.output;
        return ran.output;
    };
    run({"define", "order"});
    run({"start", "order", "--business-key", "over-tls"});
    EXPECT_NE(run({"list"}).find("over-tls"), std::string::npos);
    EXPECT_NE(run({"nodes", "list"}).find("alive"), std::string::npos);
    const Ended untrusted = run_to_end({"list", "--server", server.url()});
    EXPECT_EQ(untrusted.code, 1) << untrusted.output;
    EXPECT_NE(untrusted.output.find("--ca FILE"), std::string::npos) << untrusted.output;
    const Ended no_file = run_to_end({"list", "--server", server.url(), "--ca", "/nowhere"});
    EXPECT_EQ(no_file.code, 2) << no_file.output;
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServedTls, AHangupReadsTheCertificateAgainAndEndsNothing) {
    ServerProcess server("memory:", tls_flags());
    auto kept = http::ClientConnection::to(server.url(), {.ca = authority_.file()});
    ASSERT_TRUE(kept->exchange(http::Method::get, "/healthz"));
    const std::string before = serial_of(server);
    authority_.issue("server");
    ::kill(server.pid(), SIGHUP);
    EXPECT_TRUE(eventually([&] { return serial_of(server) != before; }));
    EXPECT_TRUE(kept->exchange(http::Method::get, "/healthz"));
    EXPECT_FALSE(server.has_ended_itself());
    EXPECT_EQ(server.terminate(), 0);
}

// Without TLS it means what it always did: the terminal is gone.
TEST_F(ServedTls, WithoutTlsAHangupEndsTheServer) {
    const ServerProcess server("memory:");
    ::kill(server.pid(), SIGHUP);
    EXPECT_TRUE(eventually([&] { return server.has_ended_itself(); }));
}

TEST_F(ServedTls, BehindAProxyNobodyIsTheLocalAdmin) {
    ServerProcess server("memory:", {"--behind-proxy", "127.0.0.1", "--token-file", token_file_});
    EXPECT_EQ(status_of(server, {}), 401);
    http::Headers forged;
    forged.add("X-Forwarded-For", "127.0.0.1");
    EXPECT_EQ(status_of(server, forged), 401);
    http::Headers proven;
    proven.add("Authorization", "Bearer 0123456789abcdef");
    EXPECT_EQ(status_of(server, proven), 200);
    EXPECT_EQ(server.terminate(), 0);
}

// The cookie of who signs in; what the browser says of its page is left out.
std::string cookie_after_sign_in(const ServerProcess& server, const std::string& ca,
                                 http::Headers said) {
    auto client = http::ClientConnection::to(server.url(), {.ca = ca});
    said.add("Sec-Fetch-Site", "same-origin");
    said.add("Content-Type", "application/json");
    const auto answer = client->exchange(http::Method::post, "/api/v1/sign-in", said,
                                         R"({"key": "0123456789abcdef"})");
    EXPECT_TRUE(answer && answer->status == 200) << (answer ? answer->body : server.output());
    return answer ? std::string(answer->headers.find("Set-Cookie").value_or("")) : "";
}

std::string port_of(const ServerProcess& server) {
    return server.url().substr(server.url().rfind(':') + 1);
}

TEST_F(ServedTls, ASessionUnderHttpsIsSentOverTlsOnly) {
    std::vector<std::string> flags = tls_flags();
    flags.insert(flags.end(), {"--token-file", token_file_});
    ServerProcess server("memory:", flags);
    const std::string set = cookie_after_sign_in(server, authority_.file(), {});
    const std::string name = "holdfast_" + port_of(server);
    EXPECT_TRUE(set.starts_with("__Host-" + name + "=hfs_")) << set;
    EXPECT_NE(set.find("; Secure"), std::string::npos) << set;
    EXPECT_EQ(set.find("Domain"), std::string::npos) << set;

    const std::string session = set.substr(0, set.find(';'));
    const auto status_with = [&](const std::string& cookie) {
        http::Headers headers;
        headers.add("Sec-Fetch-Site", "same-origin");
        headers.add("Cookie", cookie);
        return status_of(server, headers);
    };
    EXPECT_EQ(status_with(session), 200);
    // Under the plain name it may come from whoever answers for this host in the clear.
    EXPECT_EQ(status_with(session.substr(std::string("__Host-").size())), 401);
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServedTls, ASessionBehindAProxyIsAsSecureAsTheWayToTheProxy) {
    http::Headers over_tls;
    over_tls.add("X-Forwarded-Proto", "https");
    http::Headers in_the_clear;
    in_the_clear.add("X-Forwarded-Proto", "http");
    const auto is_secure = [](const std::string& set) {
        const bool secure = set.find("; Secure") != std::string::npos;
        EXPECT_EQ(set.starts_with("__Host-"), secure) << set;
        return secure;
    };
    ServerProcess named("memory:", {"--behind-proxy", "127.0.0.1", "--token-file", token_file_});
    EXPECT_TRUE(is_secure(cookie_after_sign_in(named, "", over_tls)));
    EXPECT_FALSE(is_secure(cookie_after_sign_in(named, "", in_the_clear)));
    EXPECT_EQ(named.terminate(), 0);
    ServerProcess other("memory:", {"--behind-proxy", "10.0.0.7", "--token-file", token_file_});
    EXPECT_FALSE(is_secure(cookie_after_sign_in(other, "", over_tls))) << "who is no proxy of ours";
    EXPECT_EQ(other.terminate(), 0);
}

TEST_F(ServedTls, TheSignInLinkIsOfTheSchemeThatIsServed) {
    ServerProcess server("memory:", tls_flags());
    EXPECT_TRUE(eventually([&] {
        return server.output().find(server.url() + "/#sign-in=hfl_") != std::string::npos;
    })) << server.output();
    const Ended another =
        run_to_end({"sign-in", "--server", server.url(), "--ca", authority_.file()});
    EXPECT_EQ(another.code, 0) << another.output;
    EXPECT_NE(another.output.find(server.url() + "/#sign-in=hfl_"), std::string::npos)
        << another.output;
    EXPECT_EQ(server.terminate(), 0);
}

// Neither the key's text nor its file's content is anywhere a reader of logs or settings looks.
TEST_F(ServedTls, TheKeyIsNotInTheSettingsNorInTheLog) {
    std::vector<std::string> flags = tls_flags();
    ServerProcess server("memory:", flags);
    std::ofstream(certificate_.file) << "broken";
    ::kill(server.pid(), SIGHUP);
    EXPECT_TRUE(
        eventually([&] { return server.output().find("tls.not_read") != std::string::npos; }));
    flags.insert(flags.begin(), {"config", "dump"});
    const std::string dump = run_to_end(flags).output;
    EXPECT_NE(dump.find("tls-key = \"" + certificate_.key), std::string::npos) << dump;
    std::ifstream key(certificate_.key);
    std::string line;
    std::getline(key, line);  // -----BEGIN
    ASSERT_TRUE(std::getline(key, line));
    for (const std::string& text : {dump, server.output()})
        EXPECT_EQ(text.find(line), std::string::npos);
    EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace holdfast::testing
