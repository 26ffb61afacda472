// A blocking HTTP/1.1 client on one kept-alive connection, for the command line, the client library
// and tests.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/wire/message.h"

namespace holdfast::http {

struct ClientOptions {
    std::chrono::milliseconds connect_time{30'000};
    std::chrono::milliseconds exchange_time{
        30'000};  // from sending to the last byte of the response
    std::size_t body_limit = 64 * 1024 * 1024;
    // Of an https URL. Files in PEM.
    std::string ca = {};           // authorities to trust; empty: those that the system trusts
    std::string certificate = {};  // to show to the server; empty: none
    std::string key = {};          // its private key; empty: in the file of the certificate
};

// Whether a request may be resent if its connection was lost before any byte of the response.
enum class Repeat {
    if_safe,  // GET and HEAD
    always,   // the server recognises a repeat, for example by its Idempotency-Key
};

// One thread at a time. Connects with the first exchange and reconnects after a loss.
class ClientConnection {
public:
    // `url` is "http://host:port" or "https://host:port", without a path; the ports are 80 and 443
    // if absent. invalid_argument: it is not, or a file of the options cannot be used. The
    // certificate of an https server must be valid for its host.
    static Result<ClientConnection> to(std::string_view url, ClientOptions options = {});

    ClientConnection(ClientConnection&&) noexcept;
    ClientConnection& operator=(ClientConnection&&) noexcept;
    ~ClientConnection();

    // Any status is a success here. invalid_argument: the target or a header is malformed.
    // unavailable: not connected, or a GET or HEAD was lost; nothing changed on the server.
    // outcome_unknown: lost after sending began, so the server may have executed it. A request is
    // resent only if a kept-alive connection closed before any byte of the response, and only as
    // `repeat` allows.
    Result<Response> exchange(Method method, std::string_view target, const Headers& headers = {},
                              std::string_view body = {}, Repeat repeat = Repeat::if_safe);

    // Reads a response as it arrives: `take` gets what came of the body of a 200 and says whether
    // to read on. The response has the body of any other status. unavailable: not connected, or
    // lost, or nothing came for the exchange time; the connection is closed in the end.
    Result<Response> follow(std::string_view target, const Headers& headers,
                            const std::function<bool(std::string_view)>& take);

private:
    struct Transport;
    explicit ClientConnection(std::unique_ptr<Transport> transport);

    std::unique_ptr<Transport> transport_;
};

}  // namespace holdfast::http
