#include "app/serve.h"

#include <atomic>
#include <cstdio>
#include <fstream>

#include "app/demo.h"
#include "app/signals.h"
#include "app/token_file.h"
#include "base/log.h"
#include "base/threads/threads.h"
#include "http/api.h"
#include "http/wire/server.h"
#include "node/engine.h"
#include "node/listen_address.h"

namespace holdfast::app {
namespace {

constexpr std::size_t reader_threads = 4;
constexpr std::size_t reader_queue = 4'096;
constexpr std::size_t open_polls = 512;  // of the 1,024 connections
constexpr std::chrono::milliseconds drain_grace{10'000};
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

Result<void> set_log_level(const std::string& name) {
    static const std::map<std::string, log::Level> levels{{"debug", log::Level::debug},
                                                          {"info", log::Level::info},
                                                          {"warn", log::Level::warn},
                                                          {"error", log::Level::error},
                                                          {"off", log::Level::off}};
    const auto level = levels.find(name);
    if (level == levels.end())
        return fail(ErrorCode::invalid_argument,
                    "--log-level must be debug, info, warn, error or off");
    log::set_level(level->second);
    return {};
}

// Builds declared indexes in the background: at the start and after a definition declares some.
class IndexBuilder {
public:
    explicit IndexBuilder(Store& store)
        : store_(store),
          thread_(named_thread("indexes", [this](std::stop_token stop) { run(stop); })) {}
    ~IndexBuilder() {
        thread_.request_stop();
        wake_.notify_all();
    }

    void want() {
        {
            const std::lock_guard lock(mutex_);
            wanted_ = true;
        }
        wake_.notify_all();
    }

private:
    void run(std::stop_token stop) {
        while (!stop.stop_requested()) {
            {
                std::unique_lock lock(mutex_);
                wake_.wait(lock, stop, [this] { return wanted_; });
                if (stop.stop_requested()) return;
                wanted_ = false;
            }
            if (auto built = store_.build_indexes(stop); !built)
                log::warn("indexes.failed",
                          {{"message", built.error().message},
                           {"next", "retried after the next definition or restart"}});
        }
    }

    Store& store_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    bool wanted_ = true;
    std::jthread thread_;
};

void announce(const std::string& url, const std::optional<InstanceId>& example) {
    std::printf("Holdfast is listening on %s\n", url.c_str());
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

// The listen address and the requests it admits.
struct Listener {
    ListenAddress listen;
    http::GateOptions gate;
    std::optional<InstanceId> example;  // for the start message
};

Result<Listener> read_listener(const ServeOptions& options) {
    HF_TRY(auto listen, parse_listen(options.listen));
    HF_TRY(auto token, read_token(options));
    if (listen.reach == http::Reach::network && !token)
        return fail(ErrorCode::invalid_argument,
                    "--listen " + listen.host +
                        " is reachable from the network and needs --token-file; without a token, "
                        "listen on 127.0.0.1");
    return Listener{
        .listen = listen,
        .gate = {.reach = listen.reach, .host_names = options.host_names, .token = token},
        .example = {}};
}

// Serves requests until a stop signal, then finishes those in flight.
Result<void> serve_http(const ServeOptions& options, const Listener& listener, http::Api& api) {
    http::Router router{http::Gate(listener.gate)};
    add_routes(router, api);
    http::Server server(
        {.address = listener.listen.host, .port = listener.listen.port},
        [&](const http::Request& head) { return router.admit(head); },
        [&](http::Request request, http::Respond respond) {
            router.handle(std::move(request), std::move(respond));
        });
    HF_CHECK(server.start());
    const std::string url = listener.listen.url(server.port());
    HF_CHECK(write_address(options, url));
    announce(url, listener.example);
    log::info("server.started", {{"address", url}});

    wait_for_stop_signal();
    log::info("server.draining");
    api.polls.drain();
    server.stop(drain_grace);
    return {};
}

}  // namespace

Result<void> serve(const ServeOptions& options) {
    HF_CHECK(set_log_level(options.log_level));
    HF_TRY(auto listener, read_listener(options));
    block_stop_signals();

    prometheus::Registry registry;
    std::atomic<bool> file_lost = false;
    HF_TRY(auto engine, Engine::open({.store = options.store,
                                      .node = options.node,
                                      .trace_rounds = options.trace_rounds,
                                      .writers = options.writers,
                                      .readers = reader_threads,
                                      .queue = options.queue,
                                      .allow_weak_durability = options.allow_weak_durability,
                                      .file_lost =
                                          [&] {
                                              file_lost = true;
                                              send_stop_signal();
                                          },
                                      .pump = options.pump,
                                      .retention = options.retention},
                                     registry));
    IndexBuilder indexes(engine->store());
    if (options.demo == Demo::seeded) {
        HF_TRY(listener.example, seed_demo(engine->store(), engine->coordinator(), engine->ids()));
        indexes.want();
    }

    WorkerPool readers("read", reader_threads, reader_queue);
    http::LongPolls polls(engine->coordinator().watchers(), readers, open_polls);
    http::Api api{.coordinator = engine->coordinator(),
                  .store = engine->store(),
                  .ids = engine->ids(),
                  .clock = engine->clock(),
                  .readers = readers,
                  .polls = polls,
                  .retention = engine->retention(),
                  .metrics = registry,
                  .indexes_wanted = [&] { indexes.want(); },
                  .queue_limit = options.event_queue};
    HF_CHECK(serve_http(options, listener, api));
    readers.shutdown();
    engine->stop();
    log::info("server.stopped");
    if (file_lost)
        return fail(ErrorCode::unavailable,
                    "the server stopped because its SQLite file was deleted, moved or replaced");
    return {};
}

}  // namespace holdfast::app
