// A private PostgreSQL server: a new cluster in a temporary directory, removed by the destructor.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace holdfast::testing {

// How a server stops: orderly, at once without a checkpoint, or with SIGKILL.
enum class StopMode { fast, immediate, killed };

class PrivatePostgres {
public:
    struct Options {
        std::optional<int> loopback_port;  // absent: a unix socket only
        std::vector<std::string> settings =
            {};  // "name=value", in addition to the server's defaults
    };

    // Creates and starts the cluster; throws std::runtime_error if that fails. The thread that
    // constructs it must outlive it: the kernel ends the server when that thread ends.
    PrivatePostgres() : PrivatePostgres(Options{}) {}
    explicit PrivatePostgres(Options options);
    ~PrivatePostgres();
    PrivatePostgres(const PrivatePostgres&) = delete;
    PrivatePostgres& operator=(const PrivatePostgres&) = delete;

    // For the user postgres on the unix socket.
    std::string url(const std::string& database = "postgres") const;
    std::string loopback_url(const std::string& database = "postgres") const;
    // A copy of another database, to which nobody may be connected.
    void create_database(const std::string& name, const std::string& original = "template1");

    void stop(StopMode mode);
    // Returns when the server accepts connections.
    void start();
    // Of the postmaster; 0 while it is stopped.
    pid_t pid() const { return pid_; }
    const std::string& directory() const { return directory_; }

private:
    void create_cluster() const;
    std::vector<std::string> server_command() const;
    void wait_until_ready() const;

    Options options_;
    std::string directory_;
    pid_t pid_ = 0;
};

}  // namespace holdfast::testing
