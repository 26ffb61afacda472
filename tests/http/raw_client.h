// A socket for tests that sends exactly the bytes it is given.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::http {

// Whether a server that does not listen fails the test.
enum class IfRefused { fails, is_ignored };

class RawClient {
public:
    explicit RawClient(std::uint16_t port, IfRefused if_refused = IfRefused::fails)
        : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
        const timeval timeout{.tv_sec = 20, .tv_usec = 0};  // a hung test fails instead
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto* generic = reinterpret_cast<const sockaddr*>(&address);
        const bool connected = ::connect(socket_, generic, sizeof address) == 0;
        EXPECT_TRUE(connected || if_refused == IfRefused::is_ignored);
    }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;
    ~RawClient() { ::close(socket_); }

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) return;  // closed by the server: the test checks its response
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    }

    // The server reads to the end; the client still reads.
    void end_sending() { ::shutdown(socket_, SHUT_WR); }

    // Whether a response has arrived.
    bool has_response() const {
        char byte = 0;
        return ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
    }

    // The next response: its head and Content-Length bytes of body.
    std::string read_response() {
        while (response_size() == 0 && receive()) {
        }
        const std::string response = received_.substr(0, response_size());
        received_.erase(0, response.size());
        return response;
    }

    // Everything until the server closes the connection.
    std::string read_until_closed() {
        while (receive()) {
        }
        return std::exchange(received_, {});
    }

private:
    bool receive() {
        char bytes[16 * 1024];
        const auto count = ::recv(socket_, bytes, sizeof bytes, 0);
        if (count > 0) received_.append(bytes, static_cast<std::size_t>(count));
        if (count < 0) ADD_FAILURE() << "the server neither responded nor closed";
        return count > 0;
    }

    // 0: not complete.
    std::size_t response_size() const {
        const std::size_t end = received_.find("\r\n\r\n");
        if (end == std::string::npos) return 0;
        const std::size_t field = received_.find("Content-Length: ");
        const std::size_t body = field < end ? std::stoul(received_.substr(field + 16)) : 0;
        return end + 4 + body <= received_.size() ? end + 4 + body : 0;
    }

    int socket_;
    std::string received_;
};

}  // namespace holdfast::http
