#include "crowd_of_streams.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <stdexcept>

#include "base/threads/threads.h"

namespace holdfast::bench {
namespace {

int connected_to(const std::string& url) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port =
        htons(static_cast<std::uint16_t>(std::stoul(url.substr(url.rfind(':') + 1))));
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0 ||
        ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("a stream cannot connect");
    return socket;
}

// Blocks until the head of the response came.
void expect_success(int socket) {
    std::array<char, 4096> bytes;
    const auto size = ::recv(socket, bytes.data(), bytes.size(), 0);
    const std::string head(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
    if (!head.starts_with("HTTP/1.1 200 ")) throw std::runtime_error("no stream: " + head);
}

}  // namespace

void allow_open_files(std::size_t count) {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= count) return;
    if (limit.rlim_max < count) throw std::runtime_error("the limit of open files is too low");
    limit.rlim_cur = count;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

CrowdOfStreams::CrowdOfStreams(const std::string& url, const std::string& target, std::size_t count)
    : poll_(::epoll_create1(EPOLL_CLOEXEC)) {
    const std::string request =
        "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n";
    for (std::size_t i = 0; i < count; ++i) {
        sockets_.push_back(connected_to(url));
        if (::send(sockets_.back(), request.data(), request.size(), MSG_NOSIGNAL) < 0)
            throw std::runtime_error("a stream cannot be asked for");
        expect_success(sockets_.back());
        epoll_event event{.events = EPOLLIN, .data = {.fd = sockets_.back()}};
        ::epoll_ctl(poll_, EPOLL_CTL_ADD, sockets_.back(), &event);
    }
    reader_ = named_thread("streams", [this](const std::stop_token& stop) { read(stop); });
}

CrowdOfStreams::~CrowdOfStreams() {
    reader_.request_stop();
    if (reader_.joinable()) reader_.join();
    for (const int socket : sockets_) ::close(socket);
    ::close(poll_);
}

void CrowdOfStreams::check() const {
    if (ended_ > 0) throw std::runtime_error("the server ended " + std::to_string(ended_));
}

void CrowdOfStreams::read(const std::stop_token& stop) {
    std::array<epoll_event, 64> events;
    std::array<char, 64 * 1024> bytes;
    while (!stop.stop_requested()) {
        const int count = ::epoll_wait(poll_, events.data(), events.size(), 50);
        for (int i = 0; i < count; ++i) {
            const int socket = events[static_cast<std::size_t>(i)].data.fd;
            if (::recv(socket, bytes.data(), bytes.size(), 0) > 0) continue;
            ::epoll_ctl(poll_, EPOLL_CTL_DEL, socket, nullptr);
            ++ended_;
        }
    }
}

}  // namespace holdfast::bench
