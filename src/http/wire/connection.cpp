#include "http/wire/connection.h"

#include <algorithm>
#include <boost/asio/write.hpp>

#include "base/log.h"
#include "http/responses/problem.h"
#include "http/wire/response_text.h"

namespace holdfast::http {
namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds linger_time{1'000};
constexpr std::size_t linger_bytes = 1024 * 1024;
constexpr std::string_view continue_text = "HTTP/1.1 100 Continue\r\n\r\n";

constexpr std::size_t small_body = 64 * 1024;  // always sent
constexpr std::size_t written_at_once = 256 * 1024;

milliseconds time_of(std::size_t bytes, std::size_t bytes_per_second) {
    return milliseconds(bytes * 1'000 / bytes_per_second);
}

Response too_many_responses() {
    Response full = problem(503, "too-many-responses", "Too many large responses",
                            "the server is sending as many large responses as it can hold; retry "
                            "later, or ask for less");
    full.headers.add("Retry-After", "1");
    return full;
}

Response no_answer() {
    return problem(500, "no-answer", "Internal error",
                   "the server dropped the request without a response; this is a bug");
}

Response made(MakeResponse& make) {
    try {
        return make();
    } catch (const std::exception& error) {
        log::error("http.response_failed", {{"message", error.what()}});
        return no_answer();
    }
}

// The callable inside a Respond: sends one response, and 500 if it is destroyed uncalled.
class Responder {
public:
    explicit Responder(std::shared_ptr<Connection> connection)
        : connection_(std::move(connection)) {}
    Responder(Responder&&) noexcept = default;
    Responder& operator=(Responder&&) = delete;
    ~Responder() {
        if (!connection_) return;
        (*this)([] { return no_answer(); });
    }

    void operator()(MakeResponse response) {
        const auto connection = std::exchange(connection_, nullptr);
        if (connection) connection->loop()->deliver(connection, std::move(response));
    }

private:
    std::shared_ptr<Connection> connection_;
};

}  // namespace

void Connection::start() {
    error_code ignored;
    socket_.set_option(tcp::no_delay(true), ignored);
    if (verdict_ == ConnectionQuota::Verdict::serve) {
        deadline_ = Steady::now() + options().head_time;
        return read_more();
    }
    Response full = problem(503, "too-many-connections", "Too many connections",
                            "the server's connection limit is reached; close idle connections or "
                            "retry later");
    full.headers.add("Retry-After", "1");
    reader_.must_close();
    write(std::move(full));
}

void Connection::begin_request() {
    reader_.next();
    if (loop_->is_draining() && reader_.is_idle()) return close();
    phase_ = Phase::reading;
    part_ = Part::nothing;
    deadline_ = Steady::now() + options().idle_time;
    advance();
}

void Connection::read_more() {
    if (!early_bytes_.empty()) {
        take_early();
        return advance();
    }
    if (client_ended_) return close();
    if (watching_) return;  // its bytes are the next ones
    const auto space = reader_.input().free_space();
    socket_.async_read_some(asio::buffer(space.data(), space.size()),
                            [self = shared_from_this()](error_code error, std::size_t count) {
                                self->on_bytes(error, count);
                            });
}

void Connection::on_bytes(error_code error, std::size_t count) {
    if (phase_ != Phase::reading) return;  // a deadline passed during the read
    if (error) return close();
    reader_.input().received(count);
    advance();
}

void Connection::watch_client() {
    if (watching_ || client_ended_ || !early_bytes_.empty()) return;
    watching_ = true;
    socket_.async_read_some(asio::buffer(early_),
                            [self = shared_from_this()](error_code error, std::size_t count) {
                                self->watching_ = false;
                                self->on_early(error, count);
                            });
}

void Connection::on_early(error_code error, std::size_t count) {
    if (phase_ == Phase::closed || phase_ == Phase::lingering) return;
    client_ended_ = bool(error);
    if (!error) early_bytes_ = {early_.data(), count};
    if (phase_ == Phase::reading) return read_more();
    if (phase_ != Phase::handling) return;
    if (error) {
        gone_.request_stop();
        // A client that has only ended its side still reads the response.
        if (error != asio::error::eof) close();
        return;
    }
    take_early();
    watch_client();
}

void Connection::take_early() {
    const auto space = reader_.input().free_space();
    const std::size_t count = early_bytes_.copy(space.data(), space.size());
    reader_.input().received(count);
    early_bytes_.remove_prefix(count);
}

void Connection::advance() {
    auto step = reader_.advance();
    if (std::holds_alternative<RequestReader::AwaitsContinue>(step)) return send_continue();
    if (auto* refused = std::get_if<RequestReader::Refused>(&step))
        return write(std::move(refused->response));
    if (auto* complete = std::get_if<RequestReader::Complete>(&step))
        return serve(std::move(complete->request));
    set_read_deadline();
    read_more();
}

// A head has a fixed time from its first byte; each received byte of a body extends its time.
void Connection::set_read_deadline() {
    if (reader_.is_idle()) return;
    const auto body = reader_.body_received();
    const Part part = body ? Part::body : Part::head;
    if (part_ != part) read_began_ = Steady::now();
    part_ = part;
    if (!body) deadline_ = read_began_ + options().head_time;
    if (body)
        deadline_ =
            read_began_ + options().body_grace + time_of(*body, options().slowest_bytes_per_second);
}

void Connection::send_continue() {
    set_read_deadline();
    asio::async_write(socket_, asio::buffer(continue_text),
                      [self = shared_from_this()](error_code error, std::size_t) {
                          if (self->phase_ != Phase::reading) return;
                          error ? self->close() : self->advance();
                      });
}

void Connection::serve(Request request) {
    const bool reads = request.method == Method::get || request.method == Method::head;
    if (!reads && loop_->shared().outgoing > options().outgoing_bytes)
        return write(too_many_responses());
    phase_ = Phase::handling;
    deadline_ = Steady::time_point::max();
    gone_ = std::stop_source();
    try {
        loop_->shared().handler(std::move(request),
                                Respond(Responder(shared_from_this()), gone_.get_token()));
    } catch (const std::exception& error) {  // its Respond was destroyed and has sent 500
        log::error("http.handler_failed", {{"message", error.what()}});
    } catch (...) {
        log::error("http.handler_failed");
    }
    if (phase_ == Phase::handling) watch_client();
}

void Connection::finish(MakeResponse make) {
    if (phase_ != Phase::handling) return;
    Response response = made(make);
    write(is_too_much(response) ? too_many_responses() : std::move(response));
}

// Only of a read: the response to a change says what was changed.
bool Connection::is_too_much(const Response& response) const {
    if (reader_.method() != Method::get || response.body.size() <= small_body) return false;
    return loop_->shared().outgoing + response.body.size() > options().outgoing_bytes;
}

void Connection::write(Response response) {
    if (loop_->is_draining()) reader_.must_close();
    phase_ = Phase::writing;
    out_ = std::move(response);
    write_head(out_head_, out_, reader_.persistence());
    if (!has_body(out_, reader_.method())) out_.body.clear();
    out_size_ = out_head_.size() + out_.body.size();
    loop_->shared().outgoing += out_.body.size();
    written_ = 0;
    write_some();
}

// The deadline is about progress: a client that has stopped to read is dropped, and one that reads
// slower than the slowest rate.
void Connection::write_some() {
    const auto now = Steady::now();
    if (written_ == 0) write_began_ = now;
    deadline_ = std::min(now, write_began_ +
                                  time_of(written_, options().slowest_written_bytes_per_second)) +
                options().idle_time;
    std::array<asio::const_buffer, 2> parts;
    if (written_ < out_head_.size()) parts[0] = asio::buffer(out_head_) + written_;
    const std::size_t sent = std::max(written_, out_head_.size()) - out_head_.size();
    parts[1] = asio::buffer(asio::buffer(out_.body) + sent, written_at_once);
    socket_.async_write_some(parts,
                             [self = shared_from_this()](error_code error, std::size_t count) {
                                 self->on_written(error, count);
                             });
}

void Connection::on_written(error_code error, std::size_t count) {
    if (phase_ != Phase::writing) return;
    if (error) return close();
    written_ += count;
    if (written_ < out_size_) return write_some();
    release_body();
    reader_.persistence() == Persistence::close ? linger() : begin_request();
}

void Connection::release_body() {
    loop_->shared().outgoing -= out_.body.size();
    out_ = {};
}

// Closing with unread bytes resets the connection, and the client could lose its response.
void Connection::linger() {
    error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    phase_ = Phase::lingering;
    deadline_ = Steady::now() + linger_time;
    discard();
}

void Connection::discard() {
    reader_.input().clear();
    const auto space = reader_.input().free_space();
    socket_.async_read_some(asio::buffer(space.data(), space.size()),
                            [self = shared_from_this()](error_code error, std::size_t count) {
                                self->discarded_ += count;
                                const bool enough = error || self->discarded_ > linger_bytes;
                                enough ? self->close() : self->discard();
                            });
}

void Connection::drain() {
    if (phase_ == Phase::reading && reader_.is_idle()) close();
}

void Connection::expire(Steady::time_point now) {
    if (now < deadline_) return;
    if (phase_ != Phase::reading || reader_.is_idle()) return close();
    error_code ignored;
    socket_.cancel(ignored);  // the pending read; its bytes are ignored
    reader_.must_close();
    write(
        problem(408, "request-timeout", "Request timeout", "the request was received too slowly"));
}

void Connection::close() {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::closed;
    gone_.request_stop();
    error_code ignored;
    socket_.close(ignored);
    release_body();
    loop_->shared().quota.release(peer_, verdict_);
    loop_->remove(shared_from_this());
}

}  // namespace holdfast::http
