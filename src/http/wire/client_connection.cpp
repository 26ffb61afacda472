#include "http/wire/client_connection.h"

#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "http/wire/ascii.h"
#include "http/wire/tls.h"

namespace holdfast::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using boost::system::error_code;

using WireRequest = beast::http::request<beast::http::span_body<const char>>;
using WireParser = beast::http::response_parser<beast::http::string_body>;

bool is_safe(Method method) { return method == Method::get || method == Method::head; }

// Nothing in it can end its line early and inject another header.
bool is_sendable(std::string_view target, const Headers& headers) {
    const auto ends_target = [](char c) { return is_control(c) || c == ' '; };
    return target.starts_with('/') && std::ranges::none_of(target, ends_target) &&
           std::ranges::all_of(headers.fields(), [](const auto& field) {
               return is_token(field.first) && std::ranges::none_of(field.second, is_control);
           });
}

beast::string_view wire(std::string_view text) { return {text.data(), text.size()}; }

template <class Message>
Response response_of(Message message) {
    Response response{
        .status = int(message.result_int()), .headers = {}, .body = std::move(message.body())};
    for (const auto& field : message)
        response.headers.add(std::string(field.name_string()), std::string(field.value()));
    return response;
}

struct Url {
    Scheme scheme = Scheme::http;
    std::string host;
    std::string port;
};

Result<Url> parse_url(std::string_view text) {
    const auto bad = fail(ErrorCode::invalid_argument,
                          "the server address must be http://host:port or https://host:port, not " +
                              std::string(text));
    Url url{.scheme = text.starts_with("https://") ? Scheme::https : Scheme::http};
    const bool secure = url.scheme == Scheme::https;
    if (!secure && !text.starts_with("http://")) return bad;
    std::string_view rest = text.substr(secure ? 8 : 7);
    if (rest.ends_with('/')) rest.remove_suffix(1);
    if (rest.find_first_of("/?#@") != std::string_view::npos) return bad;
    const std::size_t bracket = rest.starts_with('[') ? rest.find(']') : 0;
    if (bracket == std::string_view::npos) return bad;
    const std::size_t colon = rest.find(':', bracket);
    url.host = rest.substr(0, colon);
    url.port = secure ? "443" : "80";
    if (colon != std::string_view::npos) url.port = rest.substr(colon + 1);
    if (url.host.empty() || url.port.empty() || !std::ranges::all_of(url.port, is_digit))
        return bad;
    if (bracket > 0) url.host = url.host.substr(1, bracket - 1);
    return url;
}

// What went wrong, and what to do about it.
std::string failed_handshake(error_code error, SSL* native, const ClientOptions& options) {
    const long verdict = SSL_get_verify_result(native);
    if (verdict != X509_V_OK)
        return std::string("the server's certificate is not trusted: ") +
               X509_verify_cert_error_string(verdict) +
               (options.ca.empty() ? "; --ca FILE names the authority that signed it" : "");
    const int reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
    if (error.category() == asio::error::get_ssl_category() && reason == SSL_R_WRONG_VERSION_NUMBER)
        return "the server does not speak TLS; use http://";
    return "TLS: " + error.message();
}

}  // namespace

struct ClientConnection::Transport {
    // When an attempt failed.
    enum class Loss { before_response, during_response, timed_out };

    Transport(Url url, TlsContext given_tls, ClientOptions given)
        : host(std::move(url.host)),
          port(std::move(url.port)),
          tls(std::move(given_tls)),
          options(std::move(given)) {}

    WireRequest compose(Method method, std::string_view target, const Headers& headers,
                        std::string_view body) const;
    Result<void> connect();
    Result<void> shake_hands();
    std::expected<Response, Loss> attempt(const WireRequest& request);
    std::expected<Response, Loss> follow(const WireRequest& request,
                                         const std::function<bool(std::string_view)>& take);
    bool is_open();
    void close();

    template <class Operation>
    error_code run(std::chrono::milliseconds at_most, Operation operation);
    // Passes what requests are written to.
    template <class Use>
    void on_wire(Use use) {
        secure ? use(*secure) : use(*stream);
    }

    const std::string host;
    const std::string port;
    const TlsContext tls;  // null: in the clear
    const ClientOptions options;
    asio::io_context context{1};
    std::optional<beast::tcp_stream> stream;
    std::optional<asio::ssl::stream<beast::tcp_stream&>> secure;  // over `stream`
    beast::flat_buffer buffer;
};

// Runs one asynchronous operation to completion; only asynchronous operations have a deadline.
template <class Operation>
error_code ClientConnection::Transport::run(std::chrono::milliseconds at_most,
                                            Operation operation) {
    error_code outcome = asio::error::would_block;
    stream->expires_after(at_most);
    operation([&outcome](error_code error, auto&&...) { outcome = error; });
    context.restart();
    context.run();
    return outcome;
}

WireRequest ClientConnection::Transport::compose(Method method, std::string_view target,
                                                 const Headers& headers,
                                                 std::string_view body) const {
    HF_ASSERT(method != Method::other, "a client request has a known method");
    WireRequest request;
    request.method_string(wire(name_of(method)));
    request.target(wire(target));
    for (const auto& [name, value] : headers.fields()) request.insert(name, value);
    const std::string name = host.contains(':') ? "[" + host + "]" : host;
    if (!headers.find("Host")) request.set(beast::http::field::host, name + ":" + port);
    request.body() = {body.data(), body.size()};
    request.prepare_payload();
    return request;
}

Result<void> ClientConnection::Transport::connect() {
    close();
    error_code error;
    tcp::resolver resolver(context);
    const auto endpoints = resolver.resolve(host, port, error);
    stream.emplace(context);
    if (!error)
        error = run(options.connect_time,
                    [&](auto done) { stream->async_connect(endpoints, std::move(done)); });
    if (!error) stream->socket().set_option(tcp::no_delay(true), error);
    if (!error) return tls ? shake_hands() : Result<void>();
    close();
    return fail(ErrorCode::unavailable, "cannot connect: " + error.message(),
                {{"host", host}, {"port", port}});
}

Result<void> ClientConnection::Transport::shake_hands() {
    secure.emplace(*stream, *tls);
    error_code unknown;
    asio::ip::make_address(host, unknown);
    if (unknown) SSL_set_tlsext_host_name(secure->native_handle(), host.c_str());
    secure->set_verify_callback(asio::ssl::host_name_verification(host));
    const error_code error = run(options.connect_time, [&](auto done) {
        secure->async_handshake(asio::ssl::stream_base::client, std::move(done));
    });
    if (!error) return {};
    const std::string why = failed_handshake(error, secure->native_handle(), options);
    close();
    return fail(ErrorCode::unavailable, "cannot connect: " + why, {{"host", host}, {"port", port}});
}

// The peer may have closed an idle connection; this check is cheaper than losing a request.
bool ClientConnection::Transport::is_open() {
    if (!stream) return false;
    char byte = 0;
    const auto waiting =
        ::recv(stream->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return waiting < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

void ClientConnection::Transport::close() {
    secure.reset();
    stream.reset();
    buffer.clear();
}

std::expected<Response, ClientConnection::Transport::Loss> ClientConnection::Transport::attempt(
    const WireRequest& request) {
    WireParser parser;
    parser.body_limit(options.body_limit);
    parser.skip(request.method() == beast::http::verb::head);
    const auto error = run(options.exchange_time, [&](auto done) {
        on_wire([&](auto& wire) {
            beast::http::async_write(wire, request,
                                     [this, &wire, &parser, done](error_code lost, std::size_t) {
                                         if (lost) return done(lost);
                                         beast::http::async_read(wire, buffer, parser, done);
                                     });
        });
    });
    if (error) {
        const bool answered = parser.got_some();
        close();
        if (error == beast::error::timeout) return std::unexpected(Loss::timed_out);
        return std::unexpected(answered ? Loss::during_response : Loss::before_response);
    }
    auto message = parser.release();
    if (!message.keep_alive()) close();
    return response_of(std::move(message));
}

std::expected<Response, ClientConnection::Transport::Loss> ClientConnection::Transport::follow(
    const WireRequest& request, const std::function<bool(std::string_view)>& take) {
    WireParser parser;
    parser.body_limit(boost::none);
    auto error = run(options.exchange_time, [&](auto done) {
        on_wire([&](auto& wire) {
            beast::http::async_write(wire, request,
                                     [this, &wire, &parser, done](error_code lost, std::size_t) {
                                         if (lost) return done(lost);
                                         beast::http::async_read_header(wire, buffer, parser, done);
                                     });
        });
    });
    const bool flows = !error && parser.get().result_int() == 200;
    while (!error && !parser.is_done()) {
        error = run(options.exchange_time, [&](auto done) {
            on_wire([&](auto& wire) { beast::http::async_read_some(wire, buffer, parser, done); });
        });
        std::string& body = parser.get().body();
        if (!flows || body.empty()) continue;
        if (!take(std::exchange(body, {}))) break;
    }
    close();
    if (error) return std::unexpected(Loss::during_response);
    return response_of(parser.release());
}

Result<ClientConnection> ClientConnection::to(std::string_view url, ClientOptions options) {
    HF_TRY(Url parsed, parse_url(url));
    TlsContext tls;
    if (parsed.scheme == Scheme::https) {
        HF_TRY(
            tls,
            client_tls({.ca = options.ca, .certificate = options.certificate, .key = options.key}));
    }
    return ClientConnection(
        std::make_unique<Transport>(std::move(parsed), std::move(tls), std::move(options)));
}

ClientConnection::ClientConnection(std::unique_ptr<Transport> transport)
    : transport_(std::move(transport)) {}
ClientConnection::ClientConnection(ClientConnection&&) noexcept = default;
ClientConnection& ClientConnection::operator=(ClientConnection&&) noexcept = default;
ClientConnection::~ClientConnection() = default;

Result<Response> ClientConnection::exchange(Method method, std::string_view target,
                                            const Headers& headers, std::string_view body,
                                            Repeat repeat) {
    if (!is_sendable(target, headers))
        return fail(ErrorCode::invalid_argument,
                    "the request path or a header contains invalid characters");
    const WireRequest request = transport_->compose(method, target, headers, body);
    bool kept_alive = transport_->is_open();
    for (;;) {
        if (!kept_alive)
            if (auto connected = transport_->connect(); !connected)
                return std::unexpected(std::move(connected.error()));
        auto answer = transport_->attempt(request);
        if (answer) return std::move(*answer);
        const bool may_repeat = is_safe(method) || repeat == Repeat::always;
        if (!kept_alive || !may_repeat || answer.error() != Transport::Loss::before_response) break;
        kept_alive = false;
    }
    const auto code = is_safe(method) ? ErrorCode::unavailable : ErrorCode::outcome_unknown;
    return fail(code, "the connection was lost before the response was complete");
}

Result<Response> ClientConnection::follow(std::string_view target, const Headers& headers,
                                          const std::function<bool(std::string_view)>& take) {
    if (!is_sendable(target, headers))
        return fail(ErrorCode::invalid_argument,
                    "the request path or a header contains invalid characters");
    const WireRequest request = transport_->compose(Method::get, target, headers, {});
    HF_CHECK(transport_->connect());
    auto answer = transport_->follow(request, take);
    if (answer) return std::move(*answer);
    return fail(ErrorCode::unavailable, "the connection was lost");
}

}  // namespace holdfast::http
