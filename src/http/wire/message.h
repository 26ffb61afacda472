// Requests and responses as plain values, independent of the HTTP library.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/access/identity.h"

namespace holdfast::http {

enum class Method { get, post, put, patch, del, head, other };

std::string_view name_of(Method method);

// Names compare without case, the first match wins.
class Headers {
public:
    void add(std::string name, std::string value) {
        fields_.emplace_back(std::move(name), std::move(value));
    }
    std::optional<std::string_view> find(std::string_view name) const;
    std::size_t count(std::string_view name) const;
    const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }

private:
    std::vector<std::pair<std::string, std::string>> fields_;
};

// Whether what a client sends is encrypted on its way to us. `unknown`: a proxy, or a program of
// this machine that may be one, does not say.
enum class Scheme { http, https, unknown };

// Who sends a request, as far as the network tells.
struct Sender {
    std::string address;  // without the port
    Scheme scheme = Scheme::unknown;
};

struct Route;

// `small`: of a route that takes requests without a credential.
enum class BodySize { small, usual, large };

struct Request {
    Method method = Method::get;
    std::string target;                                       // undecoded
    std::vector<std::string> path;                            // decoded segments
    std::vector<std::pair<std::string, std::string>> query;   // decoded, in order
    std::vector<std::pair<std::string, std::string>> params;  // values of the route's {names}
    Headers headers;
    std::string body;
    Sender sender = {};
    const Route* route = nullptr;  // absent: the router has not admitted it
    BodySize body_size = BodySize::usual;
    Identity identity = {};  // of the credential; set by the router
    Caller caller = {};      // who acts: the credential's user, or the one that it acts for

    // The first of several. Absent: not sent.
    std::optional<std::string_view> query_value(std::string_view name) const;
    // The value of the route's {name}, which its pattern must declare.
    const std::string& param(std::string_view name) const;
};

// The body of a response that is made as the client takes it. Its end closes the connection.
class BodySource {
public:
    enum class Cut {
        shutting_down,
        too_slow,  // the client did not take what was written in time; it is told nothing more
    };
    struct Piece {
        std::string bytes;  // empty: nothing is there yet
        bool is_last = false;
    };

    virtual ~BodySource() = default;
    // Once, before the first piece. `wake` may be called from any thread, after this source is gone
    // too: there is a piece.
    virtual void open(std::function<void()> wake) = 0;
    // After the one before was written. Never blocks.
    virtual Piece next() = 0;
    // Nothing was written for a while: the next piece is not empty.
    virtual void keep_alive() = 0;
    virtual void cut(Cut why) = 0;
};

struct Response {
    int status = 200;
    Headers headers;
    std::string body;
    std::shared_ptr<BodySource> source = {};  // instead of `body`
};

using MakeResponse = std::move_only_function<Response()>;

// Beyond it, reading a body and making a response take milliseconds: not on an I/O thread.
constexpr std::size_t small_body = 64 * 1024;
// About as large as the body of a response will be.
enum class ResponseSize { small, large };

constexpr ResponseSize response_size(std::size_t bytes) {
    return bytes > small_body ? ResponseSize::large : ResponseSize::small;
}

// Sends the response to one request. Called exactly once, from any thread.
class Respond {
public:
    Respond() = default;
    template <class Send>
        requires(!std::same_as<std::remove_cvref_t<Send>, Respond> &&
                 std::invocable<Send&, Response>)
    Respond(Send send, std::stop_token gone = {})
        : send_(
              [send = std::move(send)](MakeResponse make, ResponseSize) mutable { send(make()); }),
          gone_(std::move(gone)) {}
    // `send` makes the response where it writes it; a large one on another thread.
    template <class Send>
        requires(std::invocable<Send&, MakeResponse, ResponseSize>)
    Respond(Send send, std::stop_token gone = {})
        : send_(std::move(send)), gone_(std::move(gone)) {}

    void operator()(Response response) {
        send_([response = std::move(response)]() mutable { return std::move(response); },
              ResponseSize::small);
    }
    // For a thread that has better things to do, such as the next commit: `make` runs where the
    // response is written, or elsewhere if it is large. It refers to nothing that may be gone by
    // then.
    void later(MakeResponse make, ResponseSize size = ResponseSize::small) {
        send_(std::move(make), size);
    }
    // Its stop is requested once the client sends no more: it has left, or it has ended its side
    // and still reads the response.
    const std::stop_token& gone() const { return gone_; }

private:
    std::move_only_function<void(MakeResponse, ResponseSize)> send_;
    std::stop_token gone_;
};
using Handler = std::function<void(Request, Respond)>;

}  // namespace holdfast::http
