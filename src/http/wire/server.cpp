#include "http/wire/server.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "base/threads/threads.h"
#include "http/wire/connection.h"
#include "http/wire/tls.h"

namespace holdfast::http {

void Loop::run() {
    sweep_later();
    context_.run();
    inbox_.close();
}

void Loop::add(tcp::socket socket, Peer peer, ConnectionQuota::Verdict verdict) {
    if (draining_) return shared_->quota.release(peer, verdict);
    ServerTls* const tls = shared_->options.tls;
    const auto connection = std::make_shared<Connection>(
        shared_from_this(), Channel(std::move(socket), tls ? tls->current() : nullptr),
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

void Loop::deliver(Delivery delivery, ResponseSize size) {
    if (size == ResponseSize::large && shared_->options.elsewhere)
        return deliver_from_elsewhere(std::move(delivery));
    if (context_.get_executor().running_in_this_thread())
        return delivery.to->finish(delivery.exchange, std::move(delivery.response));
    if (inbox_.put(std::move(delivery)) == Inbox<Delivery>::Put::first)
        post([this] { empty_inbox(); });
}

void Loop::deliver_from_elsewhere(Delivery delivery) {
    // Shared: without room elsewhere the loop makes it.
    const auto make = std::make_shared<MakeResponse>(std::move(delivery.response));
    const auto [to, exchange] = std::pair{std::move(delivery.to), delivery.exchange};
    std::move_only_function<void()> work = [self = shared_from_this(), to, exchange, make] {
        MakeResponse ready = [all = made(*make)]() mutable { return std::move(all); };
        self->deliver({to, exchange, std::move(ready)}, ResponseSize::small);
    };
    if (!shared_->options.elsewhere(work))
        deliver({to, exchange, [make] { return (*make)(); }}, ResponseSize::small);
}

void Loop::empty_inbox() {
    for (auto& [connection, exchange, response] : inbox_.take_all())
        connection->finish(exchange, std::move(response));
}

// One timer for all deadlines: a timer per request would cost more than the rest of the request.
void Loop::sweep_later() {
    using namespace std::chrono_literals;
    const auto& options = shared_->options;
    const std::chrono::milliseconds shortest =
        std::min({options.head_time, options.idle_time, options.body_grace});
    sweep_timer_.expires_after(std::clamp(shortest / 10, 5ms, 500ms));
    sweep_timer_.async_wait([this](error_code error) {
        if (!error && work_.owns_work()) sweep();
    });
}

void Loop::sweep() {
    const auto now = std::chrono::steady_clock::now();
    for (const auto& connection : std::vector(connections_.begin(), connections_.end()))
        connection->expire(now);
    sweep_later();
}

namespace {

using std::chrono::milliseconds;

constexpr milliseconds accept_pause{
    100};  // after accept failed, for example without free descriptors

Peer peer_of(const tcp::socket& socket, const Proxies& proxies) {
    error_code error;
    const auto endpoint = socket.remote_endpoint(error);
    if (error) return {};
    auto address = endpoint.address();
    if (address.is_v6() && address.to_v6().is_v4_mapped())
        address = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
    Peer peer{.address = address.to_string(), .origin = Origin::network};
    if (address.is_loopback()) peer.origin = Origin::loopback;
    if (proxies.include(peer.address)) peer.origin = Origin::proxy;
    return peer;
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
        return fail(ErrorCode::unavailable,
                    "cannot listen on " + options.address + " port " +
                        std::to_string(options.port) + ": " + error.message(),
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
    Peer peer = peer_of(socket, shared->options.proxies);
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
