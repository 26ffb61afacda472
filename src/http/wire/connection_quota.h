// Counts open connections, in total and per address, and decides which new ones are served. Safe
// from any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace holdfast::http {

// `proxy`: one that passes on the requests of many clients.
enum class Origin { loopback, proxy, network };

struct Peer {
    std::string address;  // without the port
    Origin origin = Origin::network;
};

struct QuotaLimits {
    std::size_t connections = 1024;
    std::size_t per_address = 64;
    std::optional<std::size_t>
        per_loopback_address;  // absent: no limit, because all programs of a host share it
};

class ConnectionQuota {
public:
    enum class Verdict {
        serve,
        refuse,  // over a limit: send 503 and close
        drop,    // too many are being refused already: close at once
    };

    explicit ConnectionQuota(const QuotaLimits& limits) : limits_(limits) {}

    // `serve` and `refuse` are counted separately until they are released; `drop` is not counted.
    Verdict take(const Peer& peer);
    void release(const Peer& peer, Verdict verdict);

    // Returns early once no connection is left.
    void wait_until_empty(std::chrono::milliseconds at_most);

private:
    // Absent: none.
    std::optional<std::size_t> limit_of(Origin origin) const;

    const QuotaLimits limits_;
    std::mutex mutex_;
    std::condition_variable emptied_;
    std::size_t served_ = 0;
    std::size_t refused_ = 0;
    std::unordered_map<std::string, std::size_t> per_address_;
};

}  // namespace holdfast::http
