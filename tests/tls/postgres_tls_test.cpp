// PostgreSQL with TLS: a server on another machine must show who it is. The other machine is a name
// that does not say loopback, with the address of loopback beside it.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "store/postgres/connection/connection.h"
#include "store/postgres/connection/verification.h"
#include "support/certificates.h"
#include "support/private_postgres.h"
#include "support/server_process.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using Pairs = std::vector<std::pair<std::string, std::string>>;

class Environment {
public:
    Environment(const char* name, const char* value) : name_(name) {
        const char* before = std::getenv(name);
        if (before) before_ = before;
        value ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }

private:
    const char* name_;
    std::optional<std::string> before_;
};

std::string mode_for(const std::string& url) {
    for (const auto& [keyword, value] : postgres::verification_defaults(url))
        if (keyword == "sslmode") return value;
    return "as it is";
}

TEST(PostgresVerification, IsTheDefaultForOtherMachines) {
    const Environment no_home("HOME", "/nowhere");
    for (const char* remote :
         {"postgres://db.example/d", "postgres://10.0.0.7:5433/d", "postgres://[fd00::1]/d",
          "postgres:///d?host=db.example", "postgres:///d?hostaddr=10.0.0.7",
          "postgres://localhost,other/d", "postgres://localhost.evil.example/d",
          "postgres://db.example/d?hostaddr=127.0.0.1"})
        EXPECT_EQ(mode_for(remote), "verify-full") << remote;
    for (const char* local :
         {"postgres:///d", "postgres://localhost/d", "postgres://127.0.0.1:1/d",
          "postgres://[::1]/d", "postgres:///d?host=/run/postgresql",
          "postgres://localhost,127.0.0.1/d", "postgres:///d?hostaddr=127.0.0.1"})
        EXPECT_EQ(mode_for(local), "as it is") << local;
}

TEST(PostgresVerification, WhatTheStringOrTheEnvironmentSaysWins) {
    const Environment no_home("HOME", "/nowhere");
    const std::string remote = "postgres://db.example/d";
    for (const char* mode : {"disable", "prefer", "require"})
        EXPECT_EQ(postgres::verification_defaults(remote + "?sslmode=" + mode), Pairs{}) << mode;
    EXPECT_EQ(postgres::verification_defaults(remote + "?sslrootcert=/ca"),
              (Pairs{{"sslmode", "verify-full"}}));
    EXPECT_EQ(postgres::verification_defaults("postgres:///d?sslmode=verify-ca").size(), 1U)
        << "whom to trust";
    const Environment mode("PGSSLMODE", "require");
    EXPECT_EQ(mode_for(remote), "as it is");
    const Environment host("PGHOST", "db.example");
    const Environment unset("PGSSLMODE", nullptr);
    EXPECT_EQ(mode_for("postgres:///d"), "verify-full");
}

// PostgreSQL cannot choose a port. Below those that the system gives to others.
int free_port() {
    for (int port = 10'000 + ::getpid() % 20'000;; ++port) {
        const int tried = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const bool free =
            ::bind(tried, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        ::close(tried);
        if (free) return port;
        if (port > 32'000) throw std::runtime_error("no free port");
    }
}

// For the user that runs the server.
Certificate readable_by_server(const Certificate& certificate) {
    ::chmod(std::filesystem::path(certificate.file).parent_path().c_str(), 0711);
    const passwd* user = ::geteuid() == 0 ? ::getpwnam("postgres") : nullptr;
    if (user && ::chown(certificate.key.c_str(), user->pw_uid, user->pw_gid) != 0) ADD_FAILURE();
    return certificate;
}

PrivatePostgres::Options with_certificate(const Certificate& certificate) {
    return {.loopback_port = free_port(),
            .settings = {"ssl=on", "ssl_cert_file=" + certificate.file,
                         "ssl_key_file=" + certificate.key}};
}

std::string remote_url(const PrivatePostgres& server, const std::string& more = {}) {
    std::string url = server.loopback_url();
    url.replace(url.find("127.0.0.1"), 9, "db.example");
    return url + "?hostaddr=127.0.0.1" + more;
}

// Empty: connected.
std::string failure(const std::string& url) {
    const auto opened = postgres::Connection::open({url, 5s}, postgres::Role::reader);
    return opened ? "" : opened.error().message;
}

TEST(PostgresTls, OnAnotherMachineTheServerMustShowWhoItIs) {
    const Authority authority;
    const PrivatePostgres server(
        with_certificate(readable_by_server(authority.issue("db", "DNS:db.example"))));
    EXPECT_EQ(failure(remote_url(server, "&sslrootcert=" + authority.file())), "");
    const std::string unknown = failure(remote_url(server));
    EXPECT_NE(unknown.find("certificate verify failed"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("sslrootcert=FILE"), std::string::npos) << unknown;
    const Authority other;
    EXPECT_NE(failure(remote_url(server, "&sslrootcert=" + other.file())), "");
    EXPECT_EQ(failure(remote_url(server, "&sslmode=require")), "");
    EXPECT_EQ(failure(remote_url(server, "&sslmode=disable")), "");
    EXPECT_EQ(failure(server.loopback_url()), "") << "as before";
    EXPECT_EQ(failure(server.url()), "") << "as before";
}

TEST(PostgresTls, TheNameCounts) {
    const Authority authority;
    const PrivatePostgres server(
        with_certificate(readable_by_server(authority.issue("db", "DNS:other.example"))));
    const std::string said = failure(remote_url(server, "&sslrootcert=" + authority.file()));
    EXPECT_NE(said.find("does not match host name"), std::string::npos) << said;
}

TEST(PostgresTls, AServerWithoutTlsIsRefusedAndServeSaysWhatToDo) {
    const PrivatePostgres server({.loopback_port = free_port()});
    const Ended ran =
        run_to_end({"serve", "--store", remote_url(server), "--listen", "127.0.0.1:0"});
    EXPECT_EQ(ran.code, 1) << ran.output;
    EXPECT_NE(ran.output.find("does not support SSL"), std::string::npos) << ran.output;
    EXPECT_NE(ran.output.find("sslmode=disable"), std::string::npos) << ran.output;
}

// All connections of a node: those of writers, readers, upkeep and announcements.
TEST(PostgresTls, AServerRunsOnVerifiedConnectionsOnly) {
    const Authority authority;
    const PrivatePostgres database(
        with_certificate(readable_by_server(authority.issue("db", "DNS:db.example"))));
    ServerProcess server(remote_url(database, "&sslrootcert=" + authority.file()));
    const std::string count =
        run_shell("psql -XAt '" + database.url() +
                  "' -c \"select count(*) filter (where ssl), count(*) filter (where not ssl) from "
                  "pg_stat_ssl join pg_stat_activity using (pid) where application_name = "
                  "'holdfast'\"")
            .output;
    EXPECT_TRUE(count.ends_with("|0\n")) << count;
    EXPECT_FALSE(count.starts_with("0")) << count;
    EXPECT_EQ(server.terminate(), 0);
}

}  // namespace
}  // namespace holdfast::testing
