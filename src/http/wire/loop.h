// A thread of the server with its connections; for the files of the server only.
#pragma once

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <unordered_set>
#include <utility>

#include "http/wire/inbox.h"
#include "http/wire/server.h"

namespace holdfast::http {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

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
    std::atomic<std::size_t> outgoing = 0;    // bytes of bodies that are being written
    std::atomic<std::size_t> handshakes = 0;  // that go on
};

class Connection;

// 500 if it throws.
Response made(MakeResponse& make);

struct Delivery {
    std::shared_ptr<Connection> to;
    std::uint64_t exchange;  // its number
    MakeResponse response;
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
    // Passes a response to its connection, from any thread. It is made on the loop's thread, if it
    // is large on another one, and dropped once the loop has ended.
    void deliver(Delivery delivery, ResponseSize size);

private:
    void sweep_later();
    void sweep();
    void empty_inbox();
    void deliver_from_elsewhere(Delivery delivery);

    std::shared_ptr<ServerShared> shared_;
    asio::io_context context_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    asio::steady_timer sweep_timer_;
    std::unordered_set<std::shared_ptr<Connection>> connections_;
    bool draining_ = false;
    Inbox<Delivery> inbox_;
};

}  // namespace holdfast::http
