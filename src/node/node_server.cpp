#include "node/node_server.h"

#include <prometheus/counter.h>

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "http/access/credentials.h"

namespace holdfast {
namespace {

constexpr std::size_t reader_threads = 4;
constexpr std::size_t lister_threads = 4;
constexpr std::size_t lister_queue = 256;
constexpr std::size_t searcher_queue = 32;
constexpr std::size_t reader_queue = 4'096;
constexpr std::size_t large_queue = 64;  // bodies that wait in memory
constexpr std::size_t open_polls = 512;  // of the connections

http::ChangeStreams::Ended count_ends(prometheus::Registry& registry) {
    auto& ends = prometheus::BuildCounter()
                     .Name("holdfast_streams_ended_total")
                     .Help("Streams of changes that the server ended, by reason.")
                     .Register(registry);
    return [&ends](std::string_view reason) {
        ends.Add({{"reason", std::string(reason)}}).Increment();
    };
}

std::function<void(const std::string&)> count_failures(prometheus::Registry& registry,
                                                       http::AuditLog& audit) {
    auto& failures = prometheus::BuildCounter()
                         .Name("holdfast_failed_sign_ins_total")
                         .Help("Requests and sign-ins with a wrong credential.")
                         .Register(registry)
                         .Add({});
    return [&failures, &audit](const std::string& address) {
        failures.Increment();
        audit.gather({.action = "failSignIn", .status = 401, .address = address});
    };
}

// The settings that are not as they are by themselves, for the audit.
std::string chosen(const std::vector<http::Setting>& settings) {
    boost::json::object values;
    for (const http::Setting& setting : settings)
        if (setting.source != http::Setting::Source::standard)
            values[setting.name] = boost::json::array(setting.values.begin(), setting.values.end());
    return json::canonical(boost::json::object{{"settings", std::move(values)}});
}

}  // namespace

NodeServer::NodeServer(Engine& engine, prometheus::Registry& registry, Options options)
    : options_(std::move(options)),
      readers_("read", reader_threads, reader_queue),
      listers_("list", lister_threads, lister_queue),
      searchers_("search", threads_for_long_work(), searcher_queue, Priority::background),
      keys_(engine.store(), engine.clock(), readers_, {}, options_.sessions),
      audit_(engine.store(), engine.clock(), {.node = engine.node(), .keep = options_.keep_audit}),
      failures_(engine.clock(), count_failures(registry, audit_)),
      credentials_(std::make_shared<const http::Credentials>(
          http::CredentialOptions{.is_local = options_.listen.reach == http::Reach::loopback,
                                  .token = options_.token,
                                  .keys = &keys_,
                                  .issuer = options_.issuer,
                                  .failures = &failures_,
                                  .demo = options_.demo})),
      sessions_(engine.store(), keys_, *credentials_),
      shares_(options_.shares),
      polls_(engine.coordinator().watchers(), readers_, open_polls),
      streams_(engine.feed(), engine.store(), listers_, count_ends(registry),
               options_.open_streams),
      api_{.coordinator = engine.coordinator(),
           .store = engine.store(),
           .ids = engine.ids(),
           .clock = engine.clock(),
           .readers = readers_,
           .listers = listers_,
           .searchers = searchers_,
           .polls = polls_,
           .streams = streams_,
           .retention = engine.retention(),
           .keys = keys_,
           .webhooks = engine.webhooks(),
           .sessions = sessions_,
           .shares = shares_,
           .audit = audit_,
           .metrics = registry,
           .indexes_wanted = [&engine] { engine.want_indexes(); },
           .queue_limit = options_.event_queue,
           .queue_bytes = options_.event_queue_bytes,
           .most_attempts = options_.most_attempts},
      router_(http::Gate({.reach = options_.listen.reach,
                          .host_names = options_.host_names,
                          .token = options_.token,
                          .credentials = credentials_})),
      request_metrics_(registry),
      large_("large", threads_for_long_work(), large_queue, Priority::background),
      server_(
          {.address = options_.listen.host,
           .port = options_.listen.port,
           .tls = options_.tls,
           .proxies = options_.proxies,
           .io_threads = options_.io_threads,
           .quota = options_.quota,
           .elsewhere =
               [this, &turns = engine.coordinator().long_work()](WorkerPool::WorkItem& work) {
                   auto in_turn = turns.in_turn(std::move(work));
                   return large_.post(in_turn);
               }},
          [this](http::Request& head) { return router_.admit(head); },
          [this](http::Request request, http::Respond respond) {
              http::Respond measured = request_metrics_.measure(request, std::move(respond));
              router_.handle(std::move(request), std::move(measured));
          }) {
    http::add_routes(router_, api_);
    add_setting_routes(router_, options_.settings);
    if (options_.page) add_page_routes(router_, *options_.page);
    request_metrics_.know(router_);
}

void NodeServer::stop() {
    polls_.drain();
    server_.stop(options_.drain_grace);
    large_.shutdown();
    api_.models.close();
    readers_.shutdown();
    listers_.shutdown();
    searchers_.shutdown();
}

Result<std::string> NodeServer::start() {
    HF_CHECK(keys_.refresh());
    HF_CHECK(server_.start());
    std::string url = options_.listen.url(options_.tls ? "https" : "http", server_.port());
    audit_.add({.action = "startServer", .target = url, .detail = chosen(options_.settings)});
    return url;
}

Result<std::optional<std::string>> NodeServer::sign_in_link() {
    if (credentials_->are_needed()) return std::nullopt;
    HF_TRY(const auto link,
           sessions_.make_link(http::Identity{.credential = std::string(http::local_credential),
                                              .caller = {},
                                              .roles = {Role::admin}}));
    return "/#sign-in=" + link.text;
}

}  // namespace holdfast
