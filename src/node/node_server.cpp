#include "node/node_server.h"

namespace holdfast {
namespace {

constexpr std::size_t reader_threads = 4;
constexpr std::size_t reader_queue = 4'096;
constexpr std::size_t open_polls = 512;
constexpr std::chrono::milliseconds drain_grace{5'000};

}  // namespace

NodeServer::NodeServer(Engine& engine, prometheus::Registry& registry, Options options)
    : options_(std::move(options)),
      readers_("read", reader_threads, reader_queue),
      polls_(engine.coordinator().watchers(), readers_, open_polls),
      api_{.coordinator = engine.coordinator(),
           .store = engine.store(),
           .ids = engine.ids(),
           .clock = engine.clock(),
           .readers = readers_,
           .polls = polls_,
           .retention = engine.retention(),
           .metrics = registry,
           .indexes_wanted = [] {},
           .queue_limit = options_.event_queue},
      router_(http::Gate({.reach = options_.listen.reach,
                          .host_names = options_.host_names,
                          .token = options_.token})),
      server_(
          {.address = options_.listen.host, .port = options_.listen.port},
          [this](const http::Request& head) { return router_.admit(head); },
          [this](http::Request request, http::Respond respond) {
              router_.handle(std::move(request), std::move(respond));
          }) {
    http::add_routes(router_, api_);
}

NodeServer::~NodeServer() {
    polls_.drain();
    server_.stop(drain_grace);
    readers_.shutdown();
}

Result<std::string> NodeServer::start() {
    HF_CHECK(server_.start());
    return options_.listen.url(server_.port());
}

}  // namespace holdfast
