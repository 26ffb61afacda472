// Turns a connection's bytes into requests, one after the other, without doing any I/O itself.
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
    std::size_t body = 1024 * 1024;
    std::size_t put_body = 4 * 1024 * 1024;
};

// Sees a request without its body. The refusal is sent and the body is never read. Absent: it is
// read on.
using Admit = std::function<std::optional<Response>(const Request& head)>;

// Keeps references to what it is built from.
class RequestReader {
public:
    struct Hungry {};          // feed `input()` and advance again
    struct AwaitsContinue {};  // send 100 Continue and advance again
    struct Refused {
        Response response;
    };
    struct Complete {
        Request request;
    };
    using Step = std::variant<Hungry, AwaitsContinue, Refused, Complete>;

    RequestReader(const RequestLimits& limits, const Admit& admit);

    InputBuffer& input() { return in_; }

    // As far as the bytes at hand allow. After Refused and Complete comes `next`, if `persistence`
    // allows it.
    Step advance();
    void next();

    // Of the request being read or answered.
    Method method() const { return method_; }
    Persistence persistence() const { return persistence_; }
    void must_close() { persistence_ = Persistence::close; }

    // No byte of a request has come yet.
    bool is_idle() const { return !in_body_ && in_.empty(); }
    // Absent: its head is not complete yet.
    std::optional<std::size_t> body_received() const;

private:
    Step on_head(RequestHead head);
    Step begin_body(const RequestHead& head);
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
