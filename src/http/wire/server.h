// Serves HTTP/1.1 on its own threads, within limits. A request is admitted by its head, before its
// body is read.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "http/wire/connection_quota.h"
#include "http/wire/message.h"
#include "http/wire/proxies.h"
#include "http/wire/request_reader.h"

namespace holdfast::http {

class ServerTls;

struct ServerOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 0;    // 0: any free one
    ServerTls* tls = nullptr;  // outlives the server; null: in the clear
    Proxies proxies;
    std::size_t io_threads = 1;

    RequestLimits requests;
    QuotaLimits quota;
    // With clients that have not finished theirs; more connections are closed at once.
    std::size_t handshakes = 256;

    // For a handshake, and for a whole head, from its first byte.
    std::chrono::milliseconds head_time{5'000};
    std::chrono::milliseconds idle_time{60'000};
    std::chrono::milliseconds beat_time{15'000};  // a stream writes something at least so often
    std::chrono::milliseconds body_grace{5'000};  // before the slowest rate applies
    std::size_t slowest_bytes_per_second = 1024;
    // For a response: each written byte extends its time.
    std::size_t slowest_written_bytes_per_second = 8 * 1024;
    // Of all responses that are being written. Beyond it a large response to a GET becomes 503, and
    // a change is refused before it is made.
    std::size_t outgoing_bytes = 256 * 1024 * 1024;

    // Has the handlers of large requests run, and large responses made, on other threads. False: no
    // room, and the work was not taken. Empty: everything runs on the I/O threads.
    std::function<bool(std::move_only_function<void()>&)> elsewhere = {};
};

class Server {
public:
    // Both run on I/O threads, concurrently if there are several, and neither may block; `handler`
    // also where `elsewhere` has it run. `handler`
    // may pass its Respond to another thread, and the Respond may outlive the server. A Respond
    // that is destroyed uncalled, or an exception, results in a 500.
    Server(ServerOptions options, Admit admit, Handler handler);
    ~Server();  // stops without grace

    // invalid_argument: not an IP address; unavailable: cannot listen on it.
    Result<void> start();

    // The port listened on; after start.
    std::uint16_t port() const;

    // Stops accepting, waits up to `grace` for requests in flight, closes all connections and joins
    // the threads. Not to be called from a handler.
    void stop(std::chrono::milliseconds grace);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace holdfast::http
