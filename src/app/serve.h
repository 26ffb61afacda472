// The server: connects store, coordinator and HTTP, runs until SIGTERM or SIGINT, then drains.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "http/access/jwt.h"
#include "http/access/shares.h"
#include "http/settings.h"
#include "pump/settings.h"

namespace holdfast::app {

// `alive`: its workflows move by themselves; `still`: they only stand there.
enum class Demo { none, alive, still };

struct ServeOptions {
    std::string config;  // TOML file with more of these settings; empty: none
    std::string store = "sqlite:holdfast.db";
    std::string listen = "127.0.0.1:8080";       // host:port, or [::1]:port
    std::optional<std::string> tls_certificate;  // PEM files; absent: plain HTTP
    std::optional<std::string> tls_key;
    std::optional<std::string> tls_client_ca;  // absent: clients need no certificate
    std::vector<std::string> behind_proxy;     // addresses of proxies that are believed
    std::optional<std::string> token_file;     // a bearer token; required unless on loopback
    std::optional<std::string> jwks_file;      // keys of an identity provider; absent: none
    http::JwtPolicy jwt;
    std::uint32_t jwt_skew_seconds = 60;
    std::uint32_t session_idle_minutes = 240;  // of a browser without requests
    http::ShareLimits shares;                  // what each credential may have open
    std::chrono::microseconds keep_audit{0};   // 0: for ever
    std::uint32_t session_hours = 24;          // in all
    std::vector<std::string> host_names;       // additional names to accept in the Host header
    std::optional<std::string> address_file;   // receives the server's URL once ready
    Demo demo = Demo::none;                    // add a small example
    std::size_t writers = 0;                   // 0: chosen for the store
    std::size_t queue = 16'384;
    std::size_t http_threads = 2;  // that read requests and write responses
    std::size_t max_connections = 1'024;
    std::size_t max_connections_per_address = 64;  // but for the own host
    std::size_t max_streams = 512;                 // of changes, that are open
    std::size_t event_queue = 10'000;              // limit of queued events per target and per name
    std::size_t event_queue_bytes = std::size_t{64} << 20;  // likewise, in bytes
    std::string log_level = "info";
    std::string log_format = "text";
    std::string node;                         // empty: host name and process id
    std::optional<std::string> trace_rounds;  // file that receives every round as a JSON line
    std::vector<std::string> webhook_hosts;   // that webhooks may post to
    std::optional<std::string> webhook_secret_file;  // absent: no webhooks
    std::optional<std::string> otlp_endpoint;        // of a collector of spans; absent: none
    bool webhook_allow_private = false;              // addresses of private networks too
    bool allow_weak_durability = false;  // accepts a store that may lose acknowledged changes
    PumpSettings pump;
    RetentionSettings retention;
    std::vector<http::Setting> settings;  // all of these, as they are shown
};

// What `serve` would refuse before it opens the store. It reads the token file.
Result<void> check(const ServeOptions& options);

// Blocks until SIGTERM or SIGINT. Prints the address once ready, with --demo also curl examples.
Result<void> serve(const ServeOptions& options);

}  // namespace holdfast::app
