// A server of the test's own: the real program as a child process that the test may kill and start
// again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace holdfast::testing {

// The program under test, as HOLDFAST_BINARY names it.
std::string holdfast_binary();

// What is run, and in which surroundings.
struct ProcessSetting {
    std::string program = holdfast_binary();
    std::vector<std::string> environment = {};  // "NAME=value", on top of the test's own

    // Loads a library into it, before all others.
    void preload(const std::string& library);
};

// Use it from one thread, which must outlive it: the kernel ends the server when that thread ends,
// or the process.
class ServerProcess {
public:
    // Returns when it serves; throws std::runtime_error with the server's output when that does not
    // happen.
    explicit ServerProcess(std::string store_url, std::vector<std::string> more_arguments = {},
                           ProcessSetting setting = {});
    ~ServerProcess();
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    // "http://127.0.0.1:port" of the last start; every start has another port.
    const std::string& url() const { return url_; }
    // 0 while it is down.
    pid_t pid() const { return pid_; }
    // Whether it ended by itself since it was started; restart() starts it again.
    bool has_ended_itself() const;
    // From the last launch until it served.
    std::chrono::duration<double> start_time() const { return start_time_; }
    // What all starts have written to standard output and standard error.
    std::string output() const;

    // Both return when the process is gone. Nothing happens to one that is down.
    void kill9();
    // SIGTERM; the exit code, or 128 and the signal that ended it. Throws when it takes a minute.
    int terminate();

    // SIGSTOP and SIGCONT: it stands still, with all its connections open.
    void halt() const;
    void go_on() const;

    // kill9, launch, wait_until_serving.
    void restart();
    // Starts the process without waiting for anything.
    void launch();
    void wait_until_serving();

private:
    std::string store_url_;
    std::vector<std::string> more_arguments_;
    ProcessSetting setting_;
    std::string directory_;
    std::string address_file_;
    std::string url_;
    int starts_ = 0;
    pid_t pid_ = 0;
    std::chrono::steady_clock::time_point launched_;
    std::chrono::duration<double> start_time_{};
};

// The end of a server that was not meant to serve.
struct Ended {
    int code = 0;
    std::string output;  // standard output and standard error
};

// Runs the program until it ends by itself; killed after `at_most`, which shows as code 137.
Ended run_to_end(const std::vector<std::string>& arguments,
                 std::chrono::seconds at_most = std::chrono::seconds(20));

}  // namespace holdfast::testing
