// A blocking HTTP/1.1 client on one kept-alive connection, for the command line, the client library
// and tests.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/wire/message.h"

namespace holdfast::http {

struct ClientOptions {
    std::chrono::milliseconds connect_time{30'000};
    std::chrono::milliseconds exchange_time{30'000};  // from sending to the last byte of the answer
    std::size_t body_limit = 64 * 1024 * 1024;
};

// Whether a request may be sent a second time when its connection was lost before any byte of the
// answer.
enum class Repeat {
    if_safe,  // GET and HEAD
    always,   // the server recognises the repetition, for example by its Idempotency-Key
};

// One thread at a time. Connects with the first exchange and again whenever the connection is gone.
class ClientConnection {
public:
    // `url` is "http://host:port", without a path. invalid_argument: it is not.
    static Result<ClientConnection> to(std::string_view url, ClientOptions options = {});

    ClientConnection(ClientConnection&&) noexcept;
    ClientConnection& operator=(ClientConnection&&) noexcept;
    ~ClientConnection();

    // Any status is an answer. invalid_argument: not to be sent. unavailable: not connected, or a
    // GET or HEAD was lost; nothing was done. outcome_unknown: lost after sending began, so the
    // server may have done it. A request is sent a second time only over a kept-alive connection
    // that closed before any byte of the answer, as `repeat` allows.
    Result<Response> exchange(Method method, std::string_view target, const Headers& headers = {},
                              std::string_view body = {}, Repeat repeat = Repeat::if_safe);

private:
    struct Line;
    explicit ClientConnection(std::unique_ptr<Line> line);

    std::unique_ptr<Line> line_;
};

}  // namespace holdfast::http
