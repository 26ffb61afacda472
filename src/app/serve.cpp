#include "app/serve.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>

#include "app/demo.h"
#include "app/demo_life.h"
#include "app/embedded_page.h"
#include "app/signals.h"
#include "app/token_file.h"
#include "base/log.h"
#include "node/entrance.h"
#include "node/node_server.h"
#include "store/store_url.h"

namespace holdfast::app {
namespace {

// For requests in flight; with what follows, the server has stopped after 10 s.
constexpr std::chrono::milliseconds drain_grace{8'000};
constexpr std::size_t shortest_token = 16;

Result<std::optional<std::string>> read_token(const ServeOptions& options) {
    if (!options.token_file) return std::nullopt;
    HF_TRY(auto token, read_token_file(*options.token_file));
    if (token.size() < shortest_token)
        return fail(ErrorCode::invalid_argument,
                    "token file " + *options.token_file +
                        " has fewer than 16 characters; create one, for example with: openssl "
                        "rand -hex 32 > " +
                        *options.token_file);
    return token;
}

// Null: there is no identity provider.
Result<std::unique_ptr<http::TokenIssuer>> open_issuer(const ServeOptions& options,
                                                       const Clock& clock) {
    if (!options.jwks_file) return nullptr;
    if (options.jwt.issuer.empty() || options.jwt.audience.empty())
        return fail(ErrorCode::invalid_argument,
                    "--jwks-file needs --jwt-issuer and --jwt-audience: the 'iss' and the 'aud' of "
                    "the tokens that are for this server");
    http::IssuerOptions issuer{.jwks_file = *options.jwks_file, .policy = options.jwt};
    issuer.policy.skew = std::chrono::seconds(options.jwt_skew_seconds);
    return http::TokenIssuer::open(std::move(issuer), clock);
}

Result<http::WebhookRules> read_webhooks(const ServeOptions& options) {
    http::WebhookRules rules{.hosts = options.webhook_hosts,
                             .allow_private = options.webhook_allow_private};
    for (const std::string& host : rules.hosts) HF_CHECK(http::check_host_pattern(host));
    if (!options.webhook_secret_file) return rules;
    HF_TRY(rules.secret, read_token_file(*options.webhook_secret_file));
    if (rules.secret.size() < shortest_token)
        return fail(ErrorCode::invalid_argument,
                    "--webhook-secret-file " + *options.webhook_secret_file +
                        " has fewer than 16 characters; create one, for example with: openssl "
                        "rand -hex 32 > " +
                        *options.webhook_secret_file);
    return rules;
}

Result<void> set_log(const ServeOptions& options) {
    const auto level = log::parse_level(options.log_level);
    if (!level)
        return fail(ErrorCode::invalid_argument,
                    "--log-level must be debug, info, warn, error or off");
    const auto format = log::parse_format(options.log_format);
    if (!format) return fail(ErrorCode::invalid_argument, "--log-format must be text or json");
    log::set_level(*level);
    log::set_format(*format);
    return {};
}

// `link`: the path that signs a browser in; absent: a key or a token does.
void announce(const std::string& url, const std::optional<std::string>& link,
              const std::optional<InstanceId>& example) {
    std::printf("Holdfast is listening on %s\n", url.c_str());
    if (link)
        std::printf("Open it in a browser, once and within 10 minutes: %s%s\n", url.c_str(),
                    link->c_str());
    else
        std::printf("Open it in a browser and sign in with a key, or use its API.\n");
    if (example) {
        const std::string id = to_string(*example);
        std::printf("\nTry:\n  curl '%s/api/v1/workflows?path.currentStep=review'\n", url.c_str());
        std::printf("  curl -i %s/api/v1/workflows/%s\n", url.c_str(), id.c_str());
        std::printf(
            "  curl -X PATCH %s/api/v1/workflows/%s/state -H 'If-Match: \"1\"' \\\n"
            "       -H 'Content-Type: application/merge-patch+json' -d '{\"currentStep\": "
            "\"review\"}'\n",
            url.c_str(), id.c_str());
    }
    std::fflush(stdout);
}

Result<void> write_address(const ServeOptions& options, const std::string& url) {
    if (!options.address_file) return {};
    // Renamed into place, so that a program that waits for the file never reads half of it.
    const std::string draft = *options.address_file + ".new";
    std::ofstream(draft) << url << '\n';
    if (std::rename(draft.c_str(), options.address_file->c_str()) != 0)
        return fail(ErrorCode::invalid_argument,
                    "cannot write --address-file " + *options.address_file);
    return {};
}

// Each connection is a file; the limit that most systems begin with is 1,024.
void allow_connections(std::size_t count) {
    constexpr rlim_t others = 256;  // the store, logs, threads
    const rlim_t wanted = count + others;
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= wanted) return;
    files.rlim_cur = std::min(wanted, files.rlim_max);
    if (::setrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur == wanted) return;
    log::warn("server.few_files",
              {{"limit", files.rlim_cur},
               {"wanted", wanted},
               {"next",
                "raise the hard limit of open files (ulimit -Hn), or connections fail "
                "before --max-connections is reached"}});
}

// Where it listens and whom it admits.
struct Listener {
    Entrance entrance;
    std::optional<std::string> token;
    std::optional<InstanceId> example;  // for the start message
    Demo demo = Demo::none;
    std::optional<std::string> demo_token;  // what the demo of this process signs its requests with
};

Result<Listener> read_listener(const ServeOptions& options) {
    HF_TRY(auto token, read_token(options));
    HF_TRY(auto entrance, open_entrance({.listen = options.listen,
                                         .tls_certificate = options.tls_certificate.value_or(""),
                                         .tls_key = options.tls_key.value_or(""),
                                         .tls_client_ca = options.tls_client_ca.value_or(""),
                                         .behind_proxy = options.behind_proxy,
                                         .has_credential = token || options.jwks_file,
                                         .credentials = "--token-file or --jwks-file"}));
    if (entrance.tls && options.demo == Demo::alive)
        return fail(ErrorCode::invalid_argument,
                    "--demo works without TLS only; use --demo-still, or leave out "
                    "--tls-certificate");
    Listener listener{.entrance = std::move(entrance),
                      .token = std::move(token),
                      .example = {},
                      .demo = options.demo};
    if (options.demo == Demo::alive) listener.demo_token = make_key().text;
    return listener;
}

NodeServer::Options server_options(const ServeOptions& options, const Listener& listener,
                                   http::TokenIssuer* issuer, const http::Page* page) {
    return {.listen = listener.entrance.listen,
            .tls = listener.entrance.tls.get(),
            .proxies = listener.entrance.proxies,
            .token = listener.token,
            .issuer = issuer,
            .sessions = {.idle = std::chrono::minutes(options.session_idle_minutes),
                         .length = std::chrono::hours(options.session_hours)},
            .demo = listener.demo_token,
            .shares = options.shares,
            .keep_audit = options.keep_audit,
            .host_names = options.host_names,
            .event_queue = options.event_queue,
            .event_queue_bytes = options.event_queue_bytes,
            .most_attempts = options.pump.max_poison_retries,
            .io_threads = options.http_threads,
            .quota = {.connections = options.max_connections,
                      .per_address = options.max_connections_per_address},
            .open_streams = options.max_streams,
            .drain_grace = drain_grace,
            .page = page,
            .settings = options.settings};
}

// Serves requests until a stop signal, then finishes those in flight.
Result<void> serve_http(const ServeOptions& options, const Listener& listener, NodeServer& server) {
    HF_TRY(const std::string url, server.start());
    HF_TRY(const auto link, server.sign_in_link());
    HF_CHECK(write_address(options, url));
    announce(url, link, listener.example);
    log::info("server.started", {{"address", url}});
    {
        std::optional<DemoLife> life;
        if (listener.demo == Demo::alive) life.emplace(url, *listener.demo_token);
        std::function<void()> reload;
        if (listener.entrance.tls) reload = [&] { listener.entrance.tls->reload(); };
        wait_for_stop_signal(reload);
    }
    log::info("server.draining");
    server.stop();
    return {};
}

}  // namespace

Result<void> check(const ServeOptions& options) {
    HF_CHECK(check_store_url(options.store));
    HF_CHECK(check(options.pump));
    HF_CHECK(check(options.retention));
    HF_CHECK(read_listener(options));
    HF_CHECK(read_webhooks(options));
    return {};
}

Result<void> serve(const ServeOptions& options) {
    HF_CHECK(set_log(options));
    HF_CHECK(check(options));
    HF_TRY(auto listener, read_listener(options));
    HF_TRY(auto webhooks, read_webhooks(options));
    allow_connections(options.max_connections);
    block_stop_signals();
    if (listener.entrance.tls) block_hangup();

    prometheus::Registry registry;
    std::atomic<bool> file_lost = false;
    HF_TRY(auto engine, Engine::open({.store = options.store,
                                      .node = options.node,
                                      .trace_rounds = options.trace_rounds,
                                      .writers = options.writers,
                                      .queue = options.queue,
                                      .allow_weak_durability = options.allow_weak_durability,
                                      .file_lost =
                                          [&] {
                                              file_lost = true;
                                              send_stop_signal();
                                          },
                                      .pump = options.pump,
                                      .retention = options.retention,
                                      .webhooks = std::move(webhooks),
                                      .otlp_endpoint = options.otlp_endpoint},
                                     registry));
    if (options.demo != Demo::none) {
        HF_TRY(listener.example, seed_demo(engine->store(), engine->coordinator(), engine->ids()));
        engine->want_indexes();
    }

    HF_TRY(const auto issuer, open_issuer(options, engine->clock()));
    const http::Page page = embedded_page();
    NodeServer server(*engine, registry, server_options(options, listener, issuer.get(), &page));
    HF_CHECK(serve_http(options, listener, server));
    engine->stop();
    log::info("server.stopped");
    if (file_lost)
        return fail(ErrorCode::unavailable,
                    "the server stopped because its SQLite file was deleted, moved or replaced");
    return {};
}

}  // namespace holdfast::app
