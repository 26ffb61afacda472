// Clients that each keep one connection and ask again as soon as they are answered, for a bounded
// time and count.
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

// What the clients did; all of it was answered.
struct ClientWork {
    std::vector<std::size_t> counts;  // by client
    std::vector<double> latencies_ms;
    double seconds = 0;  // from the first request to the last answer

    double total() const { return static_cast<double>(latencies_ms.size()); }
    double rate() const { return total() / seconds; }
};

http::ClientConnection connect(const std::string& url);

// The answer, parsed where it is JSON of that status; std::runtime_error when it is anything else.
boost::json::value answer(http::ClientConnection& connection, http::Method method,
                          const std::string& target, const std::string& body,
                          std::initializer_list<int> good);

// One exchange: which client, and how many it made before.
using Exchange = std::function<void(http::ClientConnection&, std::size_t client, std::size_t n)>;

// Throws what an exchange has thrown, when all clients have ended.
ClientWork run_clients(const std::string& url, const ClientLoad& load, const Exchange& exchange);

}  // namespace holdfast::bench
