// Closed-loop clients: each keeps one connection and sends the next request when the last one is
// answered, for a bounded time and count.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "http/wire/client_connection.h"

namespace holdfast::bench {

struct ClientLoad {
    std::size_t clients = 64;
    std::chrono::seconds time{5};
    std::size_t most = 20'000;  // requests of all clients together
};

// What the clients did; every request was answered.
struct ClientWork {
    std::vector<std::size_t> counts;  // by client
    std::vector<double> latencies_ms;
    double seconds = 0;  // from the first request to the last answer

    double total() const { return static_cast<double>(latencies_ms.size()); }
    double rate() const { return total() / seconds; }
};

http::ClientConnection connect(const std::string& url);

// Sends one request and returns the parsed body; throws std::runtime_error for a status that is not
// among `good`.
boost::json::value request(http::ClientConnection& connection, http::Method method,
                           const std::string& target, const std::string& body,
                           std::initializer_list<int> good);

// One exchange of a client; `n` counts its exchanges from 0.
using Exchange = std::function<void(http::ClientConnection&, std::size_t client, std::size_t n)>;

// Rethrows the exception of an exchange once all clients have ended.
ClientWork run_clients(const std::string& url, const ClientLoad& load, const Exchange& exchange);

}  // namespace holdfast::bench
