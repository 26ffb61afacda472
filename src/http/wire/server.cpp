#include "http/wire/server.h"

#include <algorithm>
#include <array>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/threads/threads.h"
#include "http/responses/problem.h"
#include "http/wire/inbox.h"
#include "http/wire/response_text.h"

namespace holdfast::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using Steady = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds linger_time{1'000};
constexpr milliseconds accept_pause{
    100};  // after accept failed, for example without free descriptors
constexpr std::size_t linger_bytes = 1024 * 1024;
constexpr std::string_view continue_text = "HTTP/1.1 100 Continue\r\n\r\n";

// Shared by all connections; outlives them.
struct ServerShared {
    ServerShared(ServerOptions given, Admit admits, Handler handles)
        : options(std::move(given)),
          admit(std::move(admits)),
          handler(std::move(handles)),
          quota(options.quota) {}

    const ServerOptions options;
    const Admit admit;
    const Handler handler;
    ConnectionQuota quota;
};

// How long `bytes` take at the slowest accepted rate.
milliseconds slowest_time(std::size_t bytes, const ServerOptions& options) {
    return milliseconds(bytes * 1'000 / options.slowest_bytes_per_second);
}

class Connection;

struct Answer {
    std::shared_ptr<Connection> to;
    Response response;
};

// One thread's connections. Everything but `deliver` and `post` runs on that thread.
class Loop : public std::enable_shared_from_this<Loop> {
public:
    explicit Loop(std::shared_ptr<ServerShared> shared)
        : shared_(std::move(shared)), sweep_timer_(context_) {}

    ServerShared& shared() { return *shared_; }
    asio::io_context& context() { return context_; }
    bool is_draining() const { return draining_; }

    void run();
    void add(tcp::socket socket, Peer peer, ConnectionQuota::Verdict verdict);
    void remove(const std::shared_ptr<Connection>& connection) { connections_.erase(connection); }
    // Closes idle connections; the others close after their response.
    void drain();
    // Closes every connection and lets `run` return.
    void close_all();

    template <class Work>
    void post(Work work) {
        asio::post(context_, std::move(work));
    }
    // Passes a response to its connection, from any thread. Dropped once the loop has ended.
    void deliver(std::shared_ptr<Connection> connection, Response response);

private:
    void sweep_later();
    void sweep();
    void empty_inbox();

    std::shared_ptr<ServerShared> shared_;
    asio::io_context context_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    asio::steady_timer sweep_timer_;
    std::unordered_set<std::shared_ptr<Connection>> connections_;
    bool draining_ = false;
    Inbox<Answer> inbox_;
};

class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(std::shared_ptr<Loop> loop, tcp::socket socket, Peer peer,
               ConnectionQuota::Verdict verdict)
        : loop_(std::move(loop)),
          socket_(std::move(socket)),
          peer_(std::move(peer)),
          verdict_(verdict),
          reader_(options().requests, loop_->shared().admit) {}

    void start();
    // Sends the response to the request being handled.
    void finish(Response response);
    void drain();
    // Closes the connection, or responds 408, if its deadline has passed.
    void expire(Steady::time_point now);
    void close();

    std::shared_ptr<Loop> loop() { return loop_; }

private:
    enum class Phase { reading, handling, writing, lingering, closed };

    const ServerOptions& options() const { return loop_->shared().options; }

    void read_more();
    void on_bytes(error_code error, std::size_t count);
    void advance();
    void send_continue();
    void serve(Request request);
    void write(Response response);
    void on_written(error_code error);
    void begin_request();
    void linger();
    void discard();
    void set_read_deadline();

    std::shared_ptr<Loop> loop_;
    tcp::socket socket_;
    const Peer peer_;
    const ConnectionQuota::Verdict verdict_;

    Phase phase_ = Phase::reading;
    Steady::time_point deadline_ = Steady::time_point::max();
    RequestReader reader_;
    Steady::time_point read_began_;  // of this head, or of this body
    enum class Part { nothing, head, body } part_ = Part::nothing;
    std::size_t discarded_ = 0;
    std::string out_head_;
    Response out_;
};

// The callable inside a Respond: sends one response, and 500 if it is destroyed uncalled.
class Responder {
public:
    explicit Responder(std::shared_ptr<Connection> connection)
        : connection_(std::move(connection)) {}
    Responder(Responder&&) noexcept = default;
    Responder& operator=(Responder&&) = delete;
    ~Responder() {
        if (!connection_) return;
        (*this)(problem(500, "no-answer", "Internal error",
                        "the server dropped the request without a response; this is a bug"));
    }

    void operator()(Response response) {
        const auto connection = std::exchange(connection_, nullptr);
        if (connection) connection->loop()->deliver(connection, std::move(response));
    }

private:
    std::shared_ptr<Connection> connection_;
};

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
    if (body) deadline_ = read_began_ + options().body_grace + slowest_time(*body, options());
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
    phase_ = Phase::handling;
    deadline_ = Steady::time_point::max();
    try {
        loop_->shared().handler(std::move(request), Responder(shared_from_this()));
    } catch (const std::exception& error) {  // its Respond was destroyed and has sent 500
        log::error("http.handler_failed", {{"message", error.what()}});
    } catch (...) {
        log::error("http.handler_failed");
    }
}

void Connection::finish(Response response) {
    if (phase_ == Phase::handling) write(std::move(response));
}

void Connection::write(Response response) {
    if (loop_->is_draining()) reader_.must_close();
    phase_ = Phase::writing;
    out_ = std::move(response);
    write_head(out_head_, out_, reader_.persistence());
    const std::size_t body_size = has_body(out_, reader_.method()) ? out_.body.size() : 0;
    deadline_ = Steady::now() + options().idle_time + slowest_time(body_size, options());
    const std::array<asio::const_buffer, 2> parts{asio::buffer(out_head_),
                                                  asio::buffer(out_.body.data(), body_size)};
    asio::async_write(socket_, parts, [self = shared_from_this()](error_code error, std::size_t) {
        self->on_written(error);
    });
}

void Connection::on_written(error_code error) {
    if (phase_ != Phase::writing) return;
    if (error) return close();
    reader_.persistence() == Persistence::close ? linger() : begin_request();
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
    error_code ignored;
    socket_.close(ignored);
    loop_->shared().quota.release(peer_, verdict_);
    loop_->remove(shared_from_this());
}

void Loop::run() {
    sweep_later();
    context_.run();
    inbox_.close();
}

void Loop::add(tcp::socket socket, Peer peer, ConnectionQuota::Verdict verdict) {
    if (draining_) return shared_->quota.release(peer, verdict);
    const auto connection = std::make_shared<Connection>(shared_from_this(), std::move(socket),
                                                         std::move(peer), verdict);
    connections_.insert(connection);
    connection->start();
}

void Loop::drain() {
    draining_ = true;
    for (const auto& connection : std::vector(connections_.begin(), connections_.end()))
        connection->drain();
}

void Loop::close_all() {
    draining_ = true;
    for (const auto& connection : std::vector(connections_.begin(), connections_.end()))
        connection->close();
    sweep_timer_.cancel();
    work_.reset();
}

void Loop::deliver(std::shared_ptr<Connection> connection, Response response) {
    if (context_.get_executor().running_in_this_thread())
        return connection->finish(std::move(response));
    if (inbox_.put({std::move(connection), std::move(response)}) == Inbox<Answer>::Put::first)
        post([this] { empty_inbox(); });
}

void Loop::empty_inbox() {
    for (auto& [connection, response] : inbox_.take_all()) connection->finish(std::move(response));
}

// One timer for all deadlines: a timer per request would cost more than the rest of the request.
void Loop::sweep_later() {
    const auto& options = shared_->options;
    const milliseconds shortest =
        std::min({options.head_time, options.idle_time, options.body_grace});
    sweep_timer_.expires_after(std::clamp(shortest / 10, milliseconds(5), milliseconds(500)));
    sweep_timer_.async_wait([this](error_code error) {
        if (!error && work_.owns_work()) sweep();
    });
}

void Loop::sweep() {
    const auto now = Steady::now();
    for (const auto& connection : std::vector(connections_.begin(), connections_.end()))
        connection->expire(now);
    sweep_later();
}

Peer peer_of(const tcp::socket& socket) {
    error_code error;
    const auto endpoint = socket.remote_endpoint(error);
    if (error) return {};
    const auto address = endpoint.address();
    return {.address = address.to_string(),
            .origin = address.is_loopback() ? Origin::loopback : Origin::network};
}

}  // namespace

struct Server::State {
    explicit State(std::shared_ptr<ServerShared> all) : shared(std::move(all)) {}

    Result<void> listen();
    void accept();
    void on_accept(error_code error, tcp::socket socket, Loop& loop);
    void pause_accepting();

    std::shared_ptr<ServerShared> shared;
    std::vector<std::shared_ptr<Loop>> loops;
    std::optional<tcp::acceptor> acceptor;  // on the first loop
    std::optional<asio::steady_timer> accept_timer;
    std::size_t next_loop = 0;
    std::uint16_t port = 0;
    std::vector<std::jthread> threads;
};

Result<void> Server::State::listen() {
    const ServerOptions& options = shared->options;
    error_code error;
    const auto address = asio::ip::make_address(options.address, error);
    if (error)
        return fail(ErrorCode::invalid_argument,
                    "the listen address must be an IP address, not " + options.address);
    const tcp::endpoint endpoint(address, options.port);
    acceptor.emplace(loops.front()->context());
    accept_timer.emplace(loops.front()->context());
    if (!error) acceptor->open(endpoint.protocol(), error);
    if (!error) acceptor->set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor->bind(endpoint, error);
    if (!error) acceptor->listen(tcp::acceptor::max_listen_connections, error);
    if (error)
        return fail(ErrorCode::unavailable, "cannot listen: " + error.message(),
                    {{"address", options.address}, {"port", options.port}});
    port = acceptor->local_endpoint().port();
    return {};
}

void Server::State::accept() {
    Loop& loop = *loops[next_loop++ % loops.size()];
    acceptor->async_accept(loop.context(), [this, &loop](error_code error, tcp::socket socket) {
        on_accept(error, std::move(socket), loop);
    });
}

void Server::State::on_accept(error_code error, tcp::socket socket, Loop& loop) {
    if (!acceptor->is_open()) return;
    if (error) return pause_accepting();
    Peer peer = peer_of(socket);
    const auto verdict = shared->quota.take(peer);
    if (verdict != ConnectionQuota::Verdict::drop)
        loop.post([&loop, socket = std::move(socket), peer = std::move(peer), verdict]() mutable {
            loop.add(std::move(socket), std::move(peer), verdict);
        });
    accept();
}

void Server::State::pause_accepting() {
    accept_timer->expires_after(accept_pause);
    accept_timer->async_wait([this](error_code error) {
        if (!error && acceptor->is_open()) accept();
    });
}

Server::Server(ServerOptions options, Admit admit, Handler handler)
    : state_(std::make_unique<State>(std::make_shared<ServerShared>(
          std::move(options), std::move(admit), std::move(handler)))) {}

Server::~Server() { stop(milliseconds(0)); }

Result<void> Server::start() {
    for (std::size_t i = 0; i < std::max<std::size_t>(1, state_->shared->options.io_threads); ++i)
        state_->loops.push_back(std::make_shared<Loop>(state_->shared));
    if (auto listening = state_->listen(); !listening) {
        state_->acceptor.reset();
        state_->accept_timer.reset();
        state_->loops.clear();
        return listening;
    }
    state_->accept();
    for (const auto& loop : state_->loops)
        state_->threads.push_back(named_thread("http-" + std::to_string(state_->threads.size()),
                                               [loop](const std::stop_token&) { loop->run(); }));
    return {};
}

std::uint16_t Server::port() const { return state_->port; }

void Server::stop(milliseconds grace) {
    if (state_->threads.empty()) return;
    state_->loops.front()->post([state = state_.get()] {
        error_code ignored;
        state->acceptor->close(ignored);
        state->accept_timer->cancel();
    });
    for (const auto& loop : state_->loops) loop->post([&loop] { loop->drain(); });
    state_->shared->quota.wait_until_empty(grace);
    for (std::size_t i = 0; i < state_->loops.size(); ++i) {  // the accepting loop ends first
        state_->loops[i]->post([loop = state_->loops[i].get()] { loop->close_all(); });
        state_->threads[i].join();
    }
    state_->threads.clear();
    state_->acceptor.reset();
    state_->accept_timer.reset();
    state_->loops.clear();
}

}  // namespace holdfast::http
