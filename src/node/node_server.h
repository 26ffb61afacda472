// The HTTP server of a node, embedded in a program or run by `holdfast serve`.
#pragma once

#include "http/access/audit_log.h"
#include "http/access/sessions.h"
#include "http/access/token_issuer.h"
#include "http/api.h"
#include "http/page/page.h"
#include "http/settings.h"
#include "http/wire/server.h"
#include "node/engine.h"
#include "node/listen_address.h"
#include "node/request_metrics.h"

namespace holdfast {

class NodeServer {
public:
    struct Options {
        ListenAddress listen;
        http::ServerTls* tls = nullptr;  // null: plain HTTP
        http::Proxies proxies;
        std::optional<std::string> token;
        http::TokenIssuer* issuer = nullptr;        // null: sign-in tokens are not accepted
        http::KeyRing::SessionTimes sessions = {};  // of browsers
        std::optional<std::string> demo = {};       // see CredentialOptions
        http::ShareLimits shares = {};              // of each credential
        std::chrono::microseconds keep_audit{0};    // 0: for ever
        std::vector<std::string> host_names;
        std::size_t event_queue = 10'000;
        std::size_t event_queue_bytes = std::size_t{64} << 20;
        std::uint32_t most_attempts = 20;
        std::size_t io_threads = 2;
        http::QuotaLimits quota = {};
        std::size_t open_streams = 512;
        std::chrono::milliseconds drain_grace{5'000};
        const http::Page* page = nullptr;          // the dashboard; null: none
        std::vector<http::Setting> settings = {};  // as /api/v1/settings shows them
    };

    NodeServer(Engine& engine, prometheus::Registry& registry, Options options);
    ~NodeServer() { stop(); }
    NodeServer(const NodeServer&) = delete;
    NodeServer& operator=(const NodeServer&) = delete;

    // Returns the URL.
    Result<std::string> start();
    // The path that signs a browser in once. Absent: who wants to has to have a credential.
    Result<std::optional<std::string>> sign_in_link();
    // Finishes the requests in flight, as far as the grace allows.
    void stop();

private:
    const Options options_;
    WorkerPool readers_;
    WorkerPool listers_;
    WorkerPool searchers_;
    http::KeyRing keys_;
    http::AuditLog audit_;
    http::FailedSignIns failures_;
    const std::shared_ptr<const http::Credentials> credentials_;
    http::Sessions sessions_;
    http::Shares shares_;
    http::LongPolls polls_;
    http::ChangeStreams streams_;
    http::Api api_;
    http::Router router_;
    RequestMetrics request_metrics_;
    WorkerPool large_;  // reads large requests, makes large responses
    http::Server server_;
};

}  // namespace holdfast
