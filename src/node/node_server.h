// The HTTP server of a node that is embedded in a program.
#pragma once

#include "http/api.h"
#include "http/wire/server.h"
#include "node/engine.h"
#include "node/listen_address.h"

namespace holdfast {

class NodeServer {
public:
    struct Options {
        ListenAddress listen;
        std::optional<std::string> token;
        std::vector<std::string> host_names;
        std::size_t event_queue = 10'000;
    };

    NodeServer(Engine& engine, prometheus::Registry& registry, Options options);
    ~NodeServer();
    NodeServer(const NodeServer&) = delete;
    NodeServer& operator=(const NodeServer&) = delete;

    // Returns the URL.
    Result<std::string> start();

private:
    const Options options_;
    WorkerPool readers_;
    http::LongPolls polls_;
    http::Api api_;
    http::Router router_;
    http::Server server_;
};

}  // namespace holdfast
