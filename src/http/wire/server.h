// Serves HTTP/1.1 on its own threads, within limits, and asks about a head before it reads a body.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/wire/connection_quota.h"
#include "http/wire/message.h"
#include "http/wire/request_reader.h"

namespace holdfast::http {

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;  // 0: any free one
    std::size_t io_threads = 1;

    RequestLimits requests;
    QuotaLimits quota;

    std::chrono::milliseconds head_time{5'000};  // for a whole head, from its first byte
    std::chrono::milliseconds idle_time{60'000};
    std::chrono::milliseconds body_grace{5'000};  // before the slowest rate counts
    std::size_t slowest_bytes_per_second = 1024;
};

class Server {
public:
    // Both run on io threads, on several at once if there are, and neither may block. `handler` may
    // keep its Respond for another thread, even beyond the server's life. A Respond that is dropped
    // uncalled, or an exception, answers 500.
    Server(ServerOptions options, Admit admit, Handler handler);
    ~Server();  // stops without grace

    // invalid_argument: not an address; unavailable: it cannot be listened on.
    Result<void> start();

    // The port listened on; after start.
    std::uint16_t port() const;

    // Accepts nobody new, lets requests in flight be answered for up to `grace`, closes all
    // connections and joins the threads. Not from a handler.
    void stop(std::chrono::milliseconds grace);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace holdfast::http
