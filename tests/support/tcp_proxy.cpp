#include "support/tcp_proxy.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "base/threads/threads.h"
#include "support/postgres_wire.h"

namespace holdfast::testing {
namespace {

[[noreturn]] void throw_error(const char* what) { throw std::runtime_error(what); }

void make_nonblocking(int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }

int listen_on_loopback(std::uint16_t& port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (fd < 0 || ::bind(fd, any, size) != 0 || ::listen(fd, 128) != 0 ||
        ::getsockname(fd, any, &size) != 0)
        throw_error("the proxy cannot listen");
    port = ntohs(address.sin_port);
    return fd;
}

// Negative: no server is listening.
int connect_to_unix(const std::string& path) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw_error("the path of the socket is too long");
    path.copy(address.sun_path, path.size());
    if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
        make_nonblocking(fd);
        return fd;
    }
    ::close(fd);
    return -1;
}

// Writes what the socket accepts now and keeps the rest. False: the peer has disconnected.
bool flush(int fd, std::string& out) {
    while (!out.empty()) {
        const ssize_t sent = ::send(fd, out.data(), out.size(), MSG_NOSIGNAL);
        if (sent < 0) return errno == EAGAIN || errno == EINTR;
        out.erase(0, static_cast<std::size_t>(sent));
    }
    return true;
}

// Reads all available bytes. False: the peer has disconnected.
bool fill(int fd, std::string& in) {
    char bytes[16'384];
    while (true) {
        const ssize_t got = ::recv(fd, bytes, sizeof bytes, 0);
        if (got == 0) return false;
        if (got < 0) return errno == EAGAIN || errno == EINTR;
        in.append(bytes, static_cast<std::size_t>(got));
    }
}

}  // namespace

const char* name_of(Cut cut) {
    switch (cut) {
        case Cut::before_commit: return "before COMMIT";
        case Cut::behind_commit: return "right behind COMMIT";
        case Cut::after_commit: return "after COMMIT";
        case Cut::inside_answer: return "inside its answer";
    }
    return "";
}

// A client connection, its connection to the server, and the bytes in transit.
struct TcpProxy::Link {
    Link(int client_fd, int server_fd) : client(client_fd), server(server_fd) {}
    ~Link() {
        close_client();
        ::close(server);
    }
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;

    void close_client() {
        if (client >= 0) ::close(client);
        client = -1;
    }

    int client;
    int server;
    std::string from_client, to_server, from_server, to_client;
    std::string withheld;  // results that are forwarded only if the cut does not happen
    bool opened = false;
    std::optional<Cut> cut;  // of the COMMIT in progress
};

TcpProxy::TcpProxy(const std::string& postgres_directory)
    : socket_path_(postgres_directory + "/.s.PGSQL.5432") {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) throw_error("cannot create a pipe");
    wake_read_ = ends[0];
    wake_write_ = ends[1];
    listener_ = listen_on_loopback(port_);
    thread_ = named_thread("proxy", [this](std::stop_token stop) { run(stop); });
}

TcpProxy::~TcpProxy() {
    thread_.request_stop();
    wake();
    thread_.join();
    for (const int fd : {listener_, wake_read_, wake_write_}) ::close(fd);
}

std::string TcpProxy::url(const std::string& database) const {
    return "postgres://postgres@127.0.0.1:" + std::to_string(port_) + "/" + database;
}

void TcpProxy::wake() const { (void)!::write(wake_write_, "x", 1); }

void TcpProxy::arm(Cut cut, std::string_view statement) {
    const std::lock_guard lock(mutex_);
    statement_ = statement;
    armed_ = cut;
    wanted_cuts_ = cuts_ + 1;
}

bool TcpProxy::wait_for_cut(std::chrono::milliseconds at_most) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, at_most, [this] { return cuts_ >= wanted_cuts_; });
}

void TcpProxy::break_all() {
    {
        const std::lock_guard lock(mutex_);
        break_all_ = true;
    }
    wake();
}

std::optional<Cut> TcpProxy::take_armed(std::string_view message) {
    const std::lock_guard lock(mutex_);
    if (!armed_ || !wire::begins_commit(message, statement_)) return std::nullopt;
    return std::exchange(armed_, std::nullopt);
}

void TcpProxy::note_cut() {
    {
        const std::lock_guard lock(mutex_);
        ++cuts_;
    }
    changed_.notify_all();
}

void TcpProxy::run(std::stop_token stop) {
    while (!stop.stop_requested()) {
        std::vector<pollfd> polled = {{wake_read_, POLLIN, 0}, {listener_, POLLIN, 0}};
        for (const Link& link : links_) {
            const short to_client = link.to_client.empty() ? 0 : POLLOUT;
            const short to_server = link.to_server.empty() ? 0 : POLLOUT;
            polled.push_back({link.client, static_cast<short>(POLLIN | to_client), 0});
            polled.push_back({link.server, static_cast<short>(POLLIN | to_server), 0});
        }
        ::poll(polled.data(), polled.size(), -1);
        char ignored[64];
        while (::read(wake_read_, ignored, sizeof ignored) > 0) {
        }
        {
            const std::lock_guard lock(mutex_);
            if (std::exchange(break_all_, false)) {
                links_.clear();
                continue;
            }
        }
        std::size_t at = 2;
        for (auto link = links_.begin(); link != links_.end(); at += 2) {
            bool lives = polled[at].revents == 0 || read_client(*link);
            lives = lives && (polled[at + 1].revents == 0 || read_server(*link));
            link = lives ? std::next(link) : links_.erase(link);
        }
        if (polled[1].revents != 0) take_client();
    }
    links_.clear();
}

void TcpProxy::take_client() {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) return;
    const int on = 1;
    ::setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int server = connect_to_unix(socket_path_);
    if (server < 0)
        ::close(client);
    else
        links_.emplace_back(client, server);
}

bool TcpProxy::read_client(Link& link) {
    if (link.client < 0) return true;
    const bool open = fill(link.client, link.from_client);
    while (link.client >= 0) {
        const auto form = link.opened ? wire::Form::typed : wire::Form::opening;
        const auto message = wire::first_message(link.from_client, form);
        if (!message) break;
        const std::size_t size = message->size();
        if (form == wire::Form::opening && wire::is_encryption_request(*message)) {
            link.to_client += 'N';
        } else {
            link.opened = true;
            if (!pass_to_server(link, *message)) return false;
        }
        link.from_client.erase(0, size);
    }
    if (!flush(link.server, link.to_server)) return false;
    return link.client < 0 || (open && flush(link.client, link.to_client));
}

bool TcpProxy::pass_to_server(Link& link, std::string_view message) {
    if (!link.cut) link.cut = take_armed(message);
    if (link.cut == Cut::before_commit) {
        flush(link.server, link.to_server);
        note_cut();
        return false;
    }
    link.to_server += message;
    if (link.cut == Cut::behind_commit && wire::is_sync(message)) {
        flush(link.server, link.to_server);
        link.close_client();
        note_cut();
    }
    return true;
}

bool TcpProxy::read_server(Link& link) {
    const bool open = fill(link.server, link.from_server);
    while (const auto answer = wire::first_message(link.from_server, wire::Form::typed)) {
        const std::size_t size = answer->size();
        if (!pass_to_client(link, *answer)) return false;
        link.from_server.erase(0, size);
    }
    if (!flush(link.server, link.to_server)) return false;
    if (link.client < 0) return open;
    return flush(link.client, link.to_client) && open;
}

bool TcpProxy::pass_to_client(Link& link, std::string_view answer) {
    // The client has disconnected and the server has finished: closes the link.
    if (link.client < 0) return !wire::is_ready(answer);
    if (dropping_ && wire::is_notification(answer)) {
        ++dropped_;
        return true;
    }
    const bool committed = wire::is_commit_done(answer);
    if (committed && link.cut == Cut::inside_answer)
        link.to_client += answer.substr(0, answer.size() / 2);
    if (committed && link.cut) {
        flush(link.client, link.to_client);
        note_cut();
        return false;
    }
    commits_ += committed;
    std::string& out = link.cut == Cut::after_commit ? link.withheld : link.to_client;
    out += answer;
    if (link.cut && wire::is_ready(answer)) {
        // It did not commit: arms the cut for the next COMMIT.
        link.to_client += std::exchange(link.withheld, {});
        const std::lock_guard lock(mutex_);
        if (!armed_) armed_ = std::exchange(link.cut, std::nullopt);
    }
    return true;
}

}  // namespace holdfast::testing
