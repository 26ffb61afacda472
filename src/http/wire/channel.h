// The bytes of a connection of the server, in the clear or through TLS; for the files of the server
// only.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "http/wire/tls.h"

namespace holdfast::http {

// On the thread of its loop. At most one write at a time.
class Channel {
public:
    using Socket = boost::asio::ip::tcp::socket;

    // Without a context in the clear.
    Channel(Socket socket, const TlsContext& tls) {
        if (tls)
            secure_ = std::make_unique<Secure>(std::move(socket), *tls);
        else
            clear_.emplace(std::move(socket));
    }

    bool is_secure() const { return secure_ != nullptr; }
    Socket& socket() { return secure_ ? secure_->stream.next_layer() : *clear_; }

    template <class Done>
    void shake_hands(Done done) {
        secure_->stream.async_handshake(boost::asio::ssl::stream_base::server, std::move(done));
    }
    // The client does not speak TLS: what is written from now on is in the clear.
    void give_up_tls() {
        clear_.emplace(std::move(secure_->stream.next_layer()));
        secure_.reset();
    }

    template <class Done>
    void read_some(boost::asio::mutable_buffer into, Done done) {
        if (secure_) return secure_->stream.async_read_some(into, std::move(done));
        clear_->async_read_some(into, std::move(done));
    }
    // Through TLS, the parts are copied into one record: each would be a record of its own.
    template <class Parts, class Done>
    void write_some(const Parts& parts, Done done) {
        if (!secure_) return clear_->async_write_some(parts, std::move(done));
        std::array<char, 16 * 1024>& record = secure_->record;
        const std::size_t count = boost::asio::buffer_copy(boost::asio::buffer(record), parts);
        const boost::asio::const_buffer copied(record.data(), count);
        secure_->stream.async_write_some(copied, std::move(done));
    }
    template <class Done>
    void write(boost::asio::const_buffer bytes, Done done) {
        if (secure_) return boost::asio::async_write(secure_->stream, bytes, std::move(done));
        boost::asio::async_write(*clear_, bytes, std::move(done));
    }

    // The client sees the end of what was written; `done` may come much later.
    template <class Done>
    void end_sending(Done done) {
        boost::system::error_code ignored;
        if (secure_) return secure_->stream.async_shutdown(std::move(done));
        clear_->shutdown(Socket::shutdown_send, ignored);
    }
    void close() {
        boost::system::error_code ignored;
        socket().close(ignored);
    }

private:
    struct Secure {
        Secure(Socket socket, boost::asio::ssl::context& context)
            : stream(std::move(socket), context) {}

        boost::asio::ssl::stream<Socket> stream;
        std::array<char, 16 * 1024> record;  // that is being written
    };

    std::optional<Socket> clear_;
    std::unique_ptr<Secure> secure_;  // null: in the clear
};

}  // namespace holdfast::http
