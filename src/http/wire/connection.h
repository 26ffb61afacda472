// A connection of the server and the loop that it belongs to; for the files of the server only.
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <stop_token>
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
    std::atomic<std::size_t> outgoing = 0;  // bytes of bodies that are being written
};

class Connection;

struct Answer {
    std::shared_ptr<Connection> to;
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
    // Passes a response to its connection, from any thread. It is made on the loop's thread, and
    // dropped once the loop has ended.
    void deliver(std::shared_ptr<Connection> connection, MakeResponse response);

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
    void finish(MakeResponse make);
    void drain();
    // Closes the connection, or responds 408, if its deadline has passed.
    void expire(std::chrono::steady_clock::time_point now);
    void close();

    std::shared_ptr<Loop> loop() { return loop_; }

private:
    enum class Phase { reading, handling, writing, lingering, closed };

    const ServerOptions& options() const { return loop_->shared().options; }

    void read_more();
    void on_bytes(error_code error, std::size_t count);
    // Reads while a request is handled, to notice that the client leaves. What it sends meanwhile
    // is kept for the next request.
    void watch_client();
    void on_early(error_code error, std::size_t count);
    void take_early();
    void advance();
    void send_continue();
    void serve(Request request);
    void write(Response response);
    // Whether the responses of all connections leave no room for this one.
    bool is_too_much(const Response& response) const;
    void write_some();
    void on_written(error_code error, std::size_t count);
    void release_body();
    void begin_request();
    void linger();
    void discard();
    void set_read_deadline();

    std::shared_ptr<Loop> loop_;
    tcp::socket socket_;
    const Peer peer_;
    const ConnectionQuota::Verdict verdict_;

    Phase phase_ = Phase::reading;
    std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
    RequestReader reader_;
    std::chrono::steady_clock::time_point read_began_;  // of this head, or of this body
    enum class Part { nothing, head, body } part_ = Part::nothing;
    std::array<char, 2048> early_;
    std::string_view early_bytes_;  // received, without room in the reader yet
    bool watching_ = false;         // an early read is pending
    bool client_ended_ = false;     // the client sends no more
    std::stop_source gone_;         // of the request that is handled
    std::size_t discarded_ = 0;
    std::string out_head_;
    Response out_;
    std::size_t out_size_ = 0;  // of head and body
    std::size_t written_ = 0;
    std::chrono::steady_clock::time_point write_began_;
};

}  // namespace holdfast::http
