#include "support/api_server.h"

#include <ostream>

#include "http/access/sessions.h"
#include "http/settings.h"
#include "support/api_contract.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

http::ClientConnection connection_to(std::uint16_t port) {
    auto connection = http::ClientConnection::to("http://127.0.0.1:" + std::to_string(port));
    if (!connection) throw std::runtime_error(connection.error().message);
    return *std::move(connection);
}

bj::value parsed(const http::Response& response) {
    const auto type = response.headers.find("Content-Type");
    const bool json = type && (*type == "application/json" || *type == "application/problem+json");
    return json && !response.body.empty() ? json_of(response.body) : bj::value();
}

}  // namespace

std::string Reply::header(std::string_view name) const {
    return std::string(headers.find(name).value_or(""));
}

const bj::value& Reply::at(std::string_view pointer) const {
    static const bj::value nothing;
    boost::system::error_code error;
    const bj::value* found = body.find_pointer(pointer, error);
    EXPECT_NE(found, nullptr) << pointer << " is missing in " << *this;
    return found ? *found : nothing;
}

std::string Reply::text_at(std::string_view pointer) const {
    const bj::value& value = at(pointer);
    EXPECT_TRUE(value.is_string()) << pointer << " is not a string in " << *this;
    return value.is_string() ? std::string(value.get_string()) : "";
}

std::uint64_t Reply::number_at(std::string_view pointer) const {
    boost::system::error_code error;
    const auto number = at(pointer).to_number<std::uint64_t>(error);
    EXPECT_FALSE(error) << pointer << " is not a number in " << *this;
    return error ? 0 : number;
}

std::string Reply::slug() const {
    const bj::object* object = body.if_object();
    const bj::value* type = object ? object->if_contains("type") : nullptr;
    if (!type || !type->is_string()) return "";
    const std::string whole(type->get_string());
    return whole.substr(whole.rfind('/') + 1);
}

std::ostream& operator<<(std::ostream& out, const Reply& reply) {
    return out << reply.status << ' ' << reply.text.substr(0, 1'000);
}

ApiClient::ApiClient(std::uint16_t port, ApiContract* contract)
    : connection_(connection_to(port)), contract_(contract) {}

Reply ApiClient::call(Method method, const std::string& target, const std::string& body,
                      const Fields& headers) {
    http::Headers sent;
    for (const auto& [name, value] : headers) sent.add(name, value);
    if (!body.empty() && !sent.find("Content-Type")) sent.add("Content-Type", "application/json");
    auto response = connection_.exchange(method, target, sent, body);
    if (!response) throw std::runtime_error(target + ": " + response.error().message);
    if (contract_) {
        const std::string fault = contract_->fault_of(
            {method, target, response->status, response->headers, response->body});
        EXPECT_TRUE(fault.empty()) << fault;
    }
    Reply reply{.status = response->status, .text = response->body, .body = parsed(*response)};
    reply.headers = std::move(response->headers);
    return reply;
}

// Everything that is rebuilt when the store is opened again.
struct ApiServer::Site {
    Site(World& world, const ApiOptions& options)
        : in_between(options.in_between ? options.in_between(*world.store) : nullptr),
          issuer(open_issuer(options, world.clock)),
          keys(*world.store, world.clock, readers, options.keys, options.sessions),
          audit(in_between ? *in_between : *world.store, world.clock, audit_options(options)),
          failures(world.clock,
                   [this](const std::string& address) {
                       audit.gather({.action = "failSignIn", .status = 401, .address = address});
                   }),
          credentials(std::make_shared<const http::Credentials>(
              http::CredentialOptions{.is_local = options.gate.reach == http::Reach::loopback,
                                      .token = options.gate.token,
                                      .keys = &keys,
                                      .issuer = issuer.get(),
                                      .failures = &failures})),
          sessions(*world.store, keys, *credentials),
          shares(options.shares),
          polls(world.coordinator->watchers(), readers, options.open_polls),
          streams(
              feed, *world.store, listers, [](std::string_view) {}, 4),
          pump_metrics(world.registry),
          retention({.store = *world.store,
                     .ids = world.ids,
                     .metrics = pump_metrics,
                     .cancel =
                         [&world](std::vector<op::Cancel> cancels) {
                             return world.coordinator->run_all(std::move(cancels));
                         },
                     .node = "node"},
                    options.retention),
          api{.coordinator = *world.coordinator,
              .store = in_between ? *in_between : *world.store,
              .ids = world.ids,
              .clock = world.clock,
              .readers = readers,
              .listers = listers,
              .searchers = searchers,
              .polls = polls,
              .streams = streams,
              .retention = retention,
              .keys = keys,
              .webhooks = options.webhooks,
              .sessions = sessions,
              .shares = shares,
              .audit = audit,
              .metrics = world.registry,
              .indexes_wanted = [] {},
              .queue_limit = options.queue_limit,
              .queue_bytes = options.queue_bytes},
          router(http::Gate(with(options.gate, credentials))),
          server(
              {.elsewhere = [this](WorkerPool::WorkItem& work) { return large.post(work); }},
              [this](http::Request& head) { return router.admit(head); },
              [this](http::Request request, http::Respond respond) {
                  router.handle(std::move(request), std::move(respond));
              }) {
        if (auto read = keys.refresh(); !read) throw std::runtime_error(read.error().message);
        add_routes(router, api);
        add_setting_routes(router, {{.name = "queue", .text = "A limit", .values = {"7"}}});
        ApiContract::use(router);
        if (auto started = server.start(); !started)
            throw std::runtime_error(started.error().message);
    }

    static http::GateOptions with(http::GateOptions options,
                                  std::shared_ptr<const http::Credentials> credentials) {
        options.credentials = std::move(credentials);
        return options;
    }

    static http::AuditOptions audit_options(const ApiOptions& options) {
        http::AuditOptions audit = options.audit;
        audit.node = "node";
        return audit;
    }

    static std::unique_ptr<http::TokenIssuer> open_issuer(const ApiOptions& options,
                                                          const Clock& clock) {
        if (!options.issuer) return nullptr;
        auto issuer = http::TokenIssuer::open(*options.issuer, clock);
        if (!issuer) throw std::runtime_error(issuer.error().message);
        return *std::move(issuer);
    }

    std::unique_ptr<Store> in_between;
    std::unique_ptr<http::TokenIssuer> issuer;
    http::KeyRing keys;
    http::AuditLog audit;
    http::FailedSignIns failures;
    std::shared_ptr<const http::Credentials> credentials;
    http::Sessions sessions;
    http::Shares shares;
    http::LongPolls polls;  // outlives the readers
    ChangeFeed feed;        // not started: the streams are tested with a whole node
    http::ChangeStreams streams;
    PumpMetrics pump_metrics;
    Pruner retention;
    http::Api api;
    WorkerPool readers{"read", 4, 4'096};
    WorkerPool listers{"list", 4, 256};
    WorkerPool searchers{"search", 1, 32};
    http::Router router;
    WorkerPool large{"large", 2, 64};
    http::Server server;
};

ApiServer::ApiServer(const std::string& kind, ApiOptions options)
    : world(kind, options.store, options.limits), options_(std::move(options)) {
    open();
}

ApiServer::~ApiServer() { close(); }

void ApiServer::open() {
    site_ = std::make_unique<Site>(world, options_);
    client_.emplace(port(), ApiContract::current());
}

void ApiServer::drain_polls() { site_->polls.drain(); }

void ApiServer::close() {
    site_->polls.drain();
    site_->server.stop(std::chrono::seconds(10));
    world.coordinator->shutdown();
    site_.reset();
}

Reply ApiServer::call(Method method, const std::string& target, const std::string& body,
                      const Fields& headers) {
    return client_->call(method, target, body, headers);
}

ApiClient ApiServer::client() const { return ApiClient(port(), ApiContract::current()); }

std::uint16_t ApiServer::port() const { return site_->server.port(); }

std::vector<http::RouteSummary> ApiServer::routes() const { return site_->router.routes(); }

void ApiServer::restart() {
    close();
    world.restart();
    open();
}

void ApiServer::tamper(const std::string& sql) {
    close();
    world.tamper(sql);
    open();
}

void ApiServer::corrupt_state(const std::string& id) {
    close();
    world.corrupt_state(*parse_id<InstanceId>(id));
    open();
}

Reply ApiServer::start(const std::string& state) {
    call(Method::put, "/api/v1/definitions/order", "{}");
    Reply reply = call(Method::post, "/api/v1/workflows",
                       R"({"definition": "order", "state": )" + state + "}");
    EXPECT_EQ(reply.status, 201) << reply;
    return reply;
}

Reply ApiServer::patch(const std::string& id, const std::string& if_match, const std::string& body,
                       const std::string& query) {
    return call(Method::patch, path_of(id) + "/state" + query, body, {{"If-Match", if_match}});
}

double ApiServer::metric(const std::string& line) {
    const std::string text = '\n' + call(Method::get, "/metrics").text;
    const std::size_t at = text.find('\n' + line + ' ');
    EXPECT_NE(at, std::string::npos) << line << " is not in" << text;
    return at == std::string::npos ? -1 : std::stod(text.substr(at + line.size() + 2));
}

std::size_t ApiServer::conflicts(const std::string& resolution) {
    const Reply page = call(Method::get, "/api/v1/conflicts?limit=500&resolution=" + resolution);
    EXPECT_EQ(page.status, 200) << page;
    EXPECT_TRUE(page.at("/nextCursor").is_null());
    return page.at("/items").as_array().size();
}

std::string ApiServer::query_closed(const std::string& sql) {
    close();
    world.coordinator.reset();
    world.store.reset();
    std::string result = world.place.query(sql);
    world.restart();
    open();
    return result;
}

std::string fingerprint(ApiServer& server) {
    std::string sql = "select '' ";
    for (const char* table : {"definitions", "index_paths",    "instances",
                              "documents",   "activities",     "variables",
                              "conditions",  "forks",          "history",
                              "conflicts",   "checkpoints",    "rounds",
                              "operations",  "pending_events", "dead_events",
                              "event_fates", "waits",          "completion_waits",
                              "timers",      "steps",          "winning_conditions",
                              "tasks",       "task_events"})
        sql += std::string("|| ' ") + table + "=' || (select count(*) from " + table + ") ";
    sql +=
        "|| ' versions=' || (select coalesce(sum(version), 0) from instances) "
        "|| ' revs=' || (select coalesce(sum(rev), 0) from instances)";
    return server.query_closed(sql);
}

}  // namespace holdfast::testing
