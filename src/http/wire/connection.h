// A connection of the server; for the files of the server only.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <stop_token>

#include "http/wire/channel.h"
#include "http/wire/loop.h"

namespace holdfast::http {

// A request that has begun, until its response is written.
struct Exchange {
    std::uint64_t number = 0;
    Method method = Method::get;
    Persistence persistence = Persistence::keep_alive;
    std::size_t body_size = 0;  // of the request
    std::stop_source gone;
    std::optional<Response> response;
    std::string head;      // of the response; empty until it is written
    bool streams = false;  // its head was written; pieces of its source follow
    bool is_over = false;  // of a source: this was the last piece
};

// Requests that arrive before the response of an earlier one begin at once, so that they share a
// round, if all of them read or all of them change: a read behind a change waits for it. Responses
// are sent in the order of the requests, those that are ready in one write.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(std::shared_ptr<Loop> loop, Channel channel, Peer peer,
               ConnectionQuota::Verdict verdict);

    void start();
    // Makes the response of an exchange, and sends it when its turn comes.
    void finish(std::uint64_t exchange, MakeResponse make);
    void drain();
    // Closes the connection, or responds 408, if a deadline has passed.
    void expire(std::chrono::steady_clock::time_point now);
    void close();

    std::shared_ptr<Loop> loop() { return loop_; }

private:
    using Moment = std::chrono::steady_clock::time_point;
    enum class Phase { open, lingering, closed };
    // Read in full, not begun.
    struct Held {
        Request request;
        Persistence persistence;
    };

    const ServerOptions& options() const { return loop_->shared().options; }
    // Nothing is being read, handled or written.
    bool is_idle() const { return exchanges_.empty() && !held_ && reader_.is_idle(); }
    bool has_room() const;
    bool may_begin(Method method) const;

    void shake_hands();
    void on_handshake(error_code error);
    void begin_serving();
    // As that of its sender.
    std::optional<Response> admit(Request& head) const;

    void read_more();
    void on_bytes(error_code error, std::size_t count);
    // Reads while requests are handled: the next ones, or that the client leaves. Not into the
    // reader's buffer, which moves.
    void read_early();
    void on_early(error_code error, std::size_t count);
    void take_early();
    void on_client_end(error_code error);
    // Begins what can be begun, and reads on.
    void advance();
    // False: nothing more can begin now.
    bool advance_once();
    void set_read_deadline();
    void send_continue();
    void serve(Held held);
    static void handle(const ServerShared& shared, Request request, Respond respond);
    void handle_elsewhere(Request request, Respond respond);
    // Returns its number.
    std::uint64_t begin(Method method, Persistence persistence, std::size_t body_size);
    void answer(std::uint64_t exchange, Response response);
    Exchange* find(std::uint64_t exchange);
    // Whether the responses of all connections leave no room for this one.
    bool is_too_much(Method method, const Response& response) const;
    void write_ready();
    void write_head_of(Exchange& exchange);
    // False: nothing is to be written of it now.
    bool take_part(Exchange& exchange);
    void begin_stream(Exchange& exchange);
    // Null: none.
    BodySource* open_stream();
    void write_some();
    void on_written(error_code error, std::size_t count);
    // False: the connection ends with a response that was written.
    bool drop_written();
    void linger();
    void discard();

    std::shared_ptr<Loop> loop_;
    Channel channel_;
    const Peer peer_;
    const ConnectionQuota::Verdict verdict_;

    Phase phase_ = Phase::open;
    Moment deadline_ = Moment::max();  // for the client to send, or to close
    Moment write_deadline_ = Moment::max();
    const Admit admit_;
    RequestReader reader_;
    Moment read_began_;  // of this head, or of this body
    enum class Part { nothing, head, body } part_ = Part::nothing;
    bool takes_requests_ = true;  // false behind a response that closes the connection
    bool awaits_continue_ = false;
    bool sends_continue_ = false;
    bool reading_ = false;
    bool client_ended_ = false;  // it sends no more
    std::array<char, 4096> early_;
    std::string_view early_bytes_;  // received, without room in the reader yet
    std::optional<Held> held_;
    std::deque<Exchange> exchanges_;  // in the order of their responses
    std::uint64_t next_exchange_ = 0;
    std::size_t discarded_ = 0;
    std::size_t batch_ = 0;    // exchanges whose responses are being written
    std::size_t written_ = 0;  // of the first response
    std::size_t sent_ = 0;     // since write_began_
    Moment write_began_;
    Moment beat_at_ = Moment::max();  // for a stream to write something
};

}  // namespace holdfast::http
