// A loopback proxy between a node and PostgreSQL that breaks connections around a COMMIT or all at
// once, or drops notifications.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace holdfast::testing {

// Where a connection with a COMMIT breaks.
enum class Cut {
    before_commit,  // the COMMIT does not reach the server
    behind_commit,  // the server receives the COMMIT, and the client is disconnected at once
    after_commit,   // the server has executed the COMMIT, and the client receives no reply
    inside_answer,  // the client receives half of the reply
};

constexpr Cut all_cuts[] = {Cut::before_commit, Cut::behind_commit, Cut::after_commit,
                            Cut::inside_answer};

const char* name_of(Cut cut);

enum class Notifications { passed, dropped };

class TcpProxy {
public:
    // Forwards connections to the unix socket of a PrivatePostgres, which may stop and restart.
    explicit TcpProxy(const std::string& postgres_directory);
    ~TcpProxy();
    TcpProxy(const TcpProxy&) = delete;
    TcpProxy& operator=(const TcpProxy&) = delete;

    std::uint16_t port() const { return port_; }
    std::string url(const std::string& database) const;

    // Cuts the next COMMIT of that statement; later ones pass.
    void arm(Cut cut, std::string_view statement = "commit_round");
    // Whether the armed cut has happened in time.
    bool wait_for_cut(std::chrono::milliseconds at_most);
    std::size_t cuts() const { return cuts_; }
    std::size_t commits() const { return commits_; }  // whose reply reached the client

    void set(Notifications notifications) { dropping_ = notifications == Notifications::dropped; }
    std::size_t dropped() const { return dropped_; }

    // Breaks every open connection.
    void break_all();

private:
    struct Link;

    void run(std::stop_token stop);
    void take_client();
    void wake() const;
    // Both return false when the link is closed.
    bool read_client(Link& link);
    bool read_server(Link& link);
    bool pass_to_server(Link& link, std::string_view message);
    bool pass_to_client(Link& link, std::string_view answer);
    // If the message is a COMMIT that is to be cut.
    std::optional<Cut> take_armed(std::string_view message);
    void note_cut();

    const std::string socket_path_;
    int listener_ = -1;
    int wake_read_ = -1;
    int wake_write_ = -1;
    std::uint16_t port_ = 0;
    std::list<Link> links_;  // of the proxy's thread

    std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<Cut> armed_;
    std::string statement_ = "commit_round";
    std::size_t wanted_cuts_ = 0;
    bool break_all_ = false;
    std::atomic<std::size_t> cuts_ = 0;
    std::atomic<std::size_t> commits_ = 0;
    std::atomic<std::size_t> dropped_ = 0;
    std::atomic<bool> dropping_ = false;

    std::jthread thread_;
};

}  // namespace holdfast::testing
