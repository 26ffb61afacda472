// Turns a connection's bytes into requests, one after the other. Does no I/O.
#pragma once

#include <functional>
#include <optional>
#include <variant>

#include "http/wire/input_buffer.h"
#include "http/wire/message.h"
#include "http/wire/request_body.h"
#include "http/wire/request_head.h"

namespace holdfast::http {

struct RequestLimits {
    HeadLimits head;
    std::size_t small_body = 16 * 1024;
    std::size_t body = 1024 * 1024;
    std::size_t large_body = 4 * 1024 * 1024;  // of a PUT, and of routes that say so
};

// Gets a request without its body, and may note in it what it found. A refusal is sent and the body
// is never read. Absent: admitted.
using Admit = std::function<std::optional<Response>(Request& head)>;

// Keeps references to its constructor arguments.
class RequestReader {
public:
    struct NeedsInput {};      // add bytes to `input()` and advance again
    struct AwaitsContinue {};  // send 100 Continue and advance again
    struct Refused {
        Response response;
    };
    struct Complete {
        Request request;
    };
    using Step = std::variant<NeedsInput, AwaitsContinue, Refused, Complete>;

    RequestReader(const RequestLimits& limits, const Admit& admit);

    InputBuffer& input() { return in_; }

    // Parses as far as the received bytes allow. After Refused and Complete call `next`, if
    // `persistence` allows another request.
    Step advance();
    void next();

    // Of the current request.
    Method method() const { return method_; }
    Persistence persistence() const { return persistence_; }
    void must_close() { persistence_ = Persistence::close; }

    // No byte of a request has been received yet.
    bool is_idle() const { return !in_body_ && in_.empty(); }
    // Absent: the head is not complete yet.
    std::optional<std::size_t> body_received() const;

private:
    Step on_head(RequestHead head);
    Step begin_body(const RequestHead& head);
    std::size_t body_limit() const;
    Step take_body();
    Step refuse(Response response);
    std::optional<Response> refusal_of(Request& head) const;

    const RequestLimits& limits_;
    const Admit& admit_;
    InputBuffer in_;
    HeadReader head_reader_;
    BodyReader body_reader_;
    bool in_body_ = false;
    Request request_;
    Method method_ = Method::get;
    Persistence persistence_ = Persistence::keep_alive;
};

}  // namespace holdfast::http
