#include "http/wire/connection.h"

#include <algorithm>
#include <vector>

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

constexpr std::size_t written_at_once = 256 * 1024;
constexpr std::size_t most_responses_at_once = 16;

// Requests of one connection that are handled at once, and the bytes of their bodies.
constexpr std::size_t most_exchanges = 32;
constexpr std::size_t most_body_bytes = 64 * 1024;

bool is_read(Method method) { return method == Method::get || method == Method::head; }

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

// The callable inside a Respond: sends one response, and 500 if it is destroyed uncalled.
class Responder {
public:
    Responder(std::shared_ptr<Connection> connection, std::uint64_t exchange)
        : connection_(std::move(connection)), exchange_(exchange) {}
    Responder(Responder&&) noexcept = default;
    Responder& operator=(Responder&&) = delete;
    ~Responder() {
        if (!connection_) return;
        (*this)([] { return no_answer(); }, ResponseSize::small);
    }

    void operator()(MakeResponse response, ResponseSize size) {
        const auto connection = std::exchange(connection_, nullptr);
        if (connection)
            connection->loop()->deliver({connection, exchange_, std::move(response)}, size);
    }

private:
    std::shared_ptr<Connection> connection_;
    std::uint64_t exchange_;
};

}  // namespace

Response made(MakeResponse& make) {
    try {
        return make();
    } catch (const std::exception& error) {
        log::error("http.response_failed", {{"message", error.what()}});
        return no_answer();
    }
}

void Connection::read_more() {
    if (reading_ || client_ended_ || phase_ != Phase::open || !early_bytes_.empty()) return;
    if (!exchanges_.empty() || held_) return read_early();
    const auto space = reader_.input().free_space();
    if (space.empty()) return;
    reading_ = true;
    channel_.read_some(asio::buffer(space.data(), space.size()),
                       [self = shared_from_this()](error_code error, std::size_t count) {
                           self->reading_ = false;
                           self->on_bytes(error, count);
                       });
}

void Connection::on_bytes(error_code error, std::size_t count) {
    if (phase_ != Phase::open || error == asio::error::operation_aborted) return;
    if (error) return on_client_end(error);
    reader_.input().received(count);
    advance();
}

void Connection::read_early() {
    reading_ = true;
    channel_.read_some(asio::buffer(early_),
                       [self = shared_from_this()](error_code error, std::size_t count) {
                           self->reading_ = false;
                           self->on_early(error, count);
                       });
}

void Connection::on_early(error_code error, std::size_t count) {
    if (phase_ != Phase::open || error == asio::error::operation_aborted) return;
    if (error) return on_client_end(error);
    early_bytes_ = {early_.data(), count};
    take_early();
    advance();
}

void Connection::take_early() {
    const auto space = reader_.input().free_space();
    const std::size_t count = early_bytes_.copy(space.data(), space.size());
    reader_.input().received(count);
    early_bytes_.remove_prefix(count);
}

void Connection::on_client_end(error_code error) {
    client_ended_ = true;
    // A client that has only ended its side still reads its responses.
    if (error != asio::error::eof || exchanges_.empty()) return close();
    std::vector<std::stop_source> gone;  // whoever is told may answer at once
    for (const Exchange& exchange : exchanges_) gone.push_back(exchange.gone);
    for (std::stop_source& told : gone) told.request_stop();
    if (open_stream()) close();  // nobody can tell whether it still reads
}

bool Connection::has_room() const {
    std::size_t bytes = 0;
    for (const Exchange& exchange : exchanges_) bytes += exchange.body_size;
    return exchanges_.size() < most_exchanges && bytes < most_body_bytes;
}

bool Connection::may_begin(Method method) const {
    if (!has_room() || (loop_->is_draining() && !exchanges_.empty())) return false;
    return std::ranges::all_of(exchanges_, [&](const Exchange& exchange) {
        return exchange.response || is_read(exchange.method) == is_read(method);
    });
}

void Connection::advance() {
    while (phase_ == Phase::open && takes_requests_ && advance_once()) {
    }
    if (phase_ != Phase::open) return;
    const bool has_ended = client_ended_ && early_bytes_.empty();
    if (has_ended && exchanges_.empty() && !held_) return close();
    set_read_deadline();
    if (takes_requests_ || !exchanges_.empty()) read_more();
}

bool Connection::advance_once() {
    if (held_) {
        if (!may_begin(held_->request.method)) return false;
        serve(std::exchange(held_, std::nullopt).value());
        return true;
    }
    if (awaits_continue_) {
        if (exchanges_.empty() && !sends_continue_) send_continue();
        return false;
    }
    auto step = reader_.advance();
    const Persistence persistence = reader_.persistence();
    if (std::holds_alternative<RequestReader::NeedsInput>(step)) {
        if (early_bytes_.empty()) return false;
        take_early();
        return true;
    }
    if (std::holds_alternative<RequestReader::AwaitsContinue>(step)) return awaits_continue_ = true;
    part_ = Part::nothing;
    const Method method = reader_.method();
    reader_.next();
    if (auto* refused = std::get_if<RequestReader::Refused>(&step))
        answer(begin(method, persistence, 0), std::move(refused->response));
    else
        held_.emplace(std::move(std::get<RequestReader::Complete>(step).request), persistence);
    return true;
}

// A head has a fixed time from its first byte; each received byte of a body extends its time. While
// the client waits for us, it has all the time of the world.
void Connection::set_read_deadline() {
    const bool client_is_next = takes_requests_ && !held_ && !awaits_continue_;
    if (!client_is_next || (reader_.is_idle() && !exchanges_.empty())) {
        deadline_ = Moment::max();
        part_ = Part::nothing;
        return;
    }
    if (reader_.is_idle()) return;  // its time began when it became idle
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
    sends_continue_ = true;
    channel_.write(asio::buffer(continue_text),
                   [self = shared_from_this()](error_code error, std::size_t) {
                       if (self->phase_ != Phase::open || !self->takes_requests_) return;
                       self->awaits_continue_ = self->sends_continue_ = false;
                       error ? self->close() : self->advance();
                   });
}

std::uint64_t Connection::begin(Method method, Persistence persistence, std::size_t body_size) {
    if (persistence == Persistence::close) takes_requests_ = false;
    exchanges_.push_back({.number = next_exchange_,
                          .method = method,
                          .persistence = persistence,
                          .body_size = body_size,
                          .gone = {},
                          .response = {},
                          .head = {}});
    return next_exchange_++;
}

void Connection::serve(Held held) {
    auto& [request, persistence] = held;
    const std::uint64_t number = begin(request.method, persistence, request.body.size());
    if (!is_read(request.method) && loop_->shared().outgoing > options().outgoing_bytes)
        return answer(number, too_many_responses());
    Respond respond(Responder(shared_from_this(), number), exchanges_.back().gone.get_token());
    if (request.body.size() > small_body && options().elsewhere)
        handle_elsewhere(std::move(request), std::move(respond));
    else
        handle(loop_->shared(), std::move(request), std::move(respond));
}

void Connection::handle(const ServerShared& shared, Request request, Respond respond) {
    try {
        shared.handler(std::move(request), std::move(respond));
    } catch (const std::exception& error) {  // its Respond was destroyed and has sent 500
        log::error("http.handler_failed", {{"message", error.what()}});
    } catch (...) {
        log::error("http.handler_failed");
    }
}

void Connection::handle_elsewhere(Request request, Respond respond) {
    // Shared: the request must be answered even if there is no room for it.
    auto answer = std::make_shared<Respond>(std::move(respond));
    std::move_only_function<void()> work = [self = shared_from_this(), answer,
                                            request = std::move(request)]() mutable {
        handle(self->loop_->shared(), std::move(request), std::move(*answer));
    };
    if (!options().elsewhere(work))
        (*answer)(problem(Error{
            ErrorCode::overloaded, "too many large requests are being read; retry shortly", {}}));
}

Exchange* Connection::find(std::uint64_t exchange) {
    if (exchanges_.empty() || exchange < exchanges_.front().number) return nullptr;
    const std::uint64_t at = exchange - exchanges_.front().number;
    return at < exchanges_.size() ? &exchanges_[at] : nullptr;
}

void Connection::finish(std::uint64_t exchange, MakeResponse make) {
    const Exchange* found = phase_ == Phase::open ? find(exchange) : nullptr;
    if (!found || found->response) return;
    Response response = made(make);
    answer(exchange,
           is_too_much(found->method, response) ? too_many_responses() : std::move(response));
}

void Connection::answer(std::uint64_t exchange, Response response) {
    loop_->shared().outgoing += response.body.size();
    find(exchange)->response = std::move(response);
    write_ready();
}

// Only of a read: the response to a change says what was changed.
bool Connection::is_too_much(Method method, const Response& response) const {
    if (method != Method::get || response.body.size() <= small_body) return false;
    return loop_->shared().outgoing + response.body.size() > options().outgoing_bytes;
}

void Connection::write_ready() {
    if (batch_ > 0) return;
    std::size_t bytes = 0;
    for (Exchange& exchange : exchanges_) {
        if (!exchange.response || bytes >= written_at_once || batch_ == most_responses_at_once)
            break;
        if (!take_part(exchange)) break;
        bytes += exchange.head.size() + exchange.response->body.size();
        ++batch_;
        if (exchange.streams) break;  // nothing comes behind it
    }
    if (batch_ == 0) return;
    write_began_ = Steady::now();
    written_ = sent_ = 0;
    write_some();
}

bool Connection::take_part(Exchange& exchange) {
    if (!exchange.streams) {
        write_head_of(exchange);
        if (!exchange.response->source) return true;
        begin_stream(exchange);
    } else {
        exchange.head.clear();
    }
    BodySource::Piece piece = exchange.response->source->next();
    exchange.response->body = std::move(piece.bytes);
    exchange.is_over = piece.is_last;
    loop_->shared().outgoing += exchange.response->body.size();
    if (exchange.head.empty() && exchange.response->body.empty() && !exchange.is_over) return false;
    beat_at_ = Steady::now() + options().beat_time;
    return true;
}

void Connection::begin_stream(Exchange& exchange) {
    exchange.streams = true;
    if (loop_->is_draining()) exchange.response->source->cut(BodySource::Cut::shutting_down);
    const std::weak_ptr<Connection> self = shared_from_this();
    exchange.response->source->open([self, loop = std::weak_ptr(loop_)] {
        const auto running = loop.lock();
        if (!running) return;
        running->post([self] {
            const auto there = self.lock();
            if (there && there->phase_ == Phase::open && there->open_stream()) there->write_ready();
        });
    });
}

BodySource* Connection::open_stream() {
    if (exchanges_.empty() || !exchanges_.front().streams) return nullptr;
    return exchanges_.front().response->source.get();
}

void Connection::write_head_of(Exchange& exchange) {
    if (loop_->is_draining() && &exchange == &exchanges_.back()) {
        exchange.persistence = Persistence::close;
        takes_requests_ = false;
    }
    Response& response = *exchange.response;
    if (!has_body(response, exchange.method)) response.source.reset();
    if (response.source) {
        exchange.persistence = Persistence::close;
        takes_requests_ = false;
    }
    write_head(exchange.head, response, exchange.persistence);
    if (has_body(response, exchange.method)) return;
    loop_->shared().outgoing -= response.body.size();
    response.body.clear();
}

// The deadline is about progress: a client that has stopped to read is dropped, and one that reads
// slower than the slowest rate.
void Connection::write_some() {
    const auto now = Steady::now();
    write_deadline_ =
        std::min(now, write_began_ + time_of(sent_, options().slowest_written_bytes_per_second)) +
        options().idle_time;
    std::array<asio::const_buffer, 2 * most_responses_at_once> parts;
    for (std::size_t i = 0; i < batch_; ++i) {
        const Exchange& exchange = exchanges_[i];
        const std::size_t before = i == 0 ? written_ : 0;
        const std::size_t head = exchange.head.size();
        parts[2 * i] = asio::buffer(exchange.head) + before;
        parts[2 * i + 1] =
            asio::buffer(asio::buffer(exchange.response->body) + (std::max(before, head) - head),
                         written_at_once);
        // What comes next would overtake the rest of a large body.
        if (exchange.response->body.size() > written_at_once) break;
    }
    channel_.write_some(parts, [self = shared_from_this()](error_code error, std::size_t count) {
        self->on_written(error, count);
    });
}

void Connection::on_written(error_code error, std::size_t count) {
    if (phase_ != Phase::open) return;
    if (error) return close();
    written_ += count;
    sent_ += count;
    if (!drop_written()) return linger();
    if (batch_ > 0) return write_some();
    write_deadline_ = Moment::max();
    write_ready();
    if (is_idle()) {
        if (loop_->is_draining()) return close();
        deadline_ = Steady::now() + options().idle_time;
    }
    advance();
}

bool Connection::drop_written() {
    while (batch_ > 0) {
        const Exchange& first = exchanges_.front();
        const std::size_t size = first.head.size() + first.response->body.size();
        if (written_ < size) return true;
        written_ -= size;
        loop_->shared().outgoing -= first.response->body.size();
        const bool is_last = first.persistence == Persistence::close;
        --batch_;
        if (first.streams && !first.is_over) {
            exchanges_.front().response->body.clear();
            return true;
        }
        exchanges_.pop_front();
        if (is_last) return false;
    }
    return true;
}

// Closing with unread bytes resets the connection, and the client could lose its response.
void Connection::linger() {
    channel_.end_sending([self = shared_from_this()](error_code) {});
    phase_ = Phase::lingering;
    deadline_ = Steady::now() + linger_time;
    write_deadline_ = Moment::max();
    discard();
}

void Connection::discard() {
    channel_.read_some(asio::buffer(early_),
                       [self = shared_from_this()](error_code error, std::size_t count) {
                           self->discarded_ += count;
                           const bool enough = error || self->discarded_ > linger_bytes;
                           enough ? self->close() : self->discard();
                       });
}

void Connection::drain() {
    if (phase_ != Phase::open) return;
    if (is_idle()) return close();
    if (BodySource* stream = open_stream()) {
        stream->cut(BodySource::Cut::shutting_down);
        write_ready();
    }
}

void Connection::expire(Steady::time_point now) {
    BodySource* stream = open_stream();
    if (now >= write_deadline_) {
        if (stream) stream->cut(BodySource::Cut::too_slow);
        return close();
    }
    if (stream && batch_ == 0 && now >= beat_at_) {
        stream->keep_alive();
        write_ready();
    }
    if (now < deadline_) return;
    if (phase_ != Phase::open || is_idle()) return close();
    answer(
        begin(Method::get, Persistence::close, 0),
        problem(408, "request-timeout", "Request timeout", "the request was received too slowly"));
    deadline_ = Moment::max();
}

void Connection::close() {
    if (phase_ == Phase::closed) return;
    phase_ = Phase::closed;
    channel_.close();
    std::deque<Exchange> left = std::exchange(exchanges_, {});
    for (const Exchange& exchange : left)
        if (exchange.response) loop_->shared().outgoing -= exchange.response->body.size();
    loop_->shared().quota.release(peer_, verdict_);
    loop_->remove(shared_from_this());
    for (Exchange& exchange : left) exchange.gone.request_stop();
}

}  // namespace holdfast::http
