#include "clients.h"

#include <boost/json.hpp>
#include <latch>
#include <stdexcept>

#include "base/threads/threads.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct OneClient {
    std::vector<double> latencies_ms;
    std::exception_ptr failure;
};

void run_one(http::ClientConnection& connection, std::size_t client, const ClientLoad& load,
             const Exchange& exchange, OneClient& work) try {
    const std::size_t most = load.most / load.clients;
    work.latencies_ms.reserve(most);
    auto sent = Clock::now();
    const auto end = sent + load.time;
    for (std::size_t n = 0; n < most && sent < end; ++n) {
        exchange(connection, client, n);
        const auto answered = Clock::now();
        work.latencies_ms.push_back(
            std::chrono::duration<double, std::milli>(answered - sent).count());
        sent = answered;
    }
} catch (...) {
    work.failure = std::current_exception();
}

}  // namespace

http::ClientConnection connect(const std::string& url) {
    auto connection = http::ClientConnection::to(url);
    if (!connection) throw std::runtime_error(connection.error().message);
    (void)request(*connection, http::Method::get, "/healthz", {}, {200});
    return *std::move(connection);
}

boost::json::value request(http::ClientConnection& connection, http::Method method,
                           const std::string& target, const std::string& body,
                           std::initializer_list<int> good) {
    http::Headers headers;
    if (!body.empty()) headers.add("Content-Type", "application/json");
    const auto response = connection.exchange(method, target, headers, body);
    if (!response) throw std::runtime_error(target + ": " + response.error().message);
    if (std::ranges::find(good, response->status) == good.end())
        throw std::runtime_error(target + ": " + std::to_string(response->status) + " " +
                                 response->body);
    return boost::json::parse(response->body);
}

ClientWork run_clients(const std::string& url, const ClientLoad& load, const Exchange& exchange) {
    std::vector<http::ClientConnection> connections;
    for (std::size_t i = 0; i < load.clients; ++i) connections.push_back(connect(url));
    std::vector<OneClient> all(load.clients);
    std::latch start(static_cast<std::ptrdiff_t>(load.clients) + 1);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < load.clients; ++i)
        threads.push_back(named_thread("client", [&, i](const std::stop_token&) {
            start.arrive_and_wait();
            run_one(connections[i], i, load, exchange, all[i]);
        }));
    start.arrive_and_wait();
    const auto began = Clock::now();
    threads.clear();
    ClientWork work;
    work.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    for (const OneClient& one : all) {
        if (one.failure) std::rethrow_exception(one.failure);
        work.counts.push_back(one.latencies_ms.size());
        work.latencies_ms.insert(work.latencies_ms.end(), one.latencies_ms.begin(),
                                 one.latencies_ms.end());
    }
    return work;
}

}  // namespace holdfast::bench
