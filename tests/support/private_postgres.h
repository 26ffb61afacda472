// A PostgreSQL server of the test's own: a fresh cluster in a temporary directory, gone with the
// object.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace holdfast::testing {

// How a server goes down: in order, at once without a checkpoint, or as a lost machine would.
enum class StopMode { fast, immediate, killed };

class PrivatePostgres {
public:
    struct Options {
        std::optional<int> loopback_port;  // absent: a unix socket only
        std::vector<std::string> settings =
            {};  // "name=value", on top of the server's own defaults
    };

    // Creates the cluster and starts it; throws std::runtime_error when that cannot be done. Must
    // be made on a thread that outlives it: the kernel ends the server when that thread ends, or
    // the process.
    PrivatePostgres() : PrivatePostgres(Options{}) {}
    explicit PrivatePostgres(Options options);
    ~PrivatePostgres();
    PrivatePostgres(const PrivatePostgres&) = delete;
    PrivatePostgres& operator=(const PrivatePostgres&) = delete;

    // For the user postgres, through the unix socket.
    std::string url(const std::string& database = "postgres") const;
    std::string loopback_url(const std::string& database = "postgres") const;
    void create_database(const std::string& name);

    void stop(StopMode mode);
    // Returns when the server takes connections.
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
