// The real server as a child process that the test may kill and restart.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <string>
#include <vector>

namespace holdfast::testing {

// The path of the program under test, from HOLDFAST_BINARY.
std::string holdfast_binary();

// The program and its environment.
struct ProcessSetting {
    std::string program = holdfast_binary();
    std::vector<std::string> environment = {};  // "NAME=value", in addition to the test's own

    // Preloads a library before all others.
    void preload(const std::string& library);
};

// Use it from one thread, which must outlive it: the kernel kills the server when that thread ends.
class ServerProcess {
public:
    // Returns when the server is ready; throws std::runtime_error with its output otherwise.
    explicit ServerProcess(std::string store_url, std::vector<std::string> more_arguments = {},
                           ProcessSetting setting = {});
    ~ServerProcess();
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    // "http://127.0.0.1:port" of the last start; every start has another port.
    const std::string& url() const { return url_; }
    // 0 while the server is stopped.
    pid_t pid() const { return pid_; }
    // Whether the process ended by itself since the last start.
    bool has_ended_itself() const;
    // From the last launch until the server was ready.
    std::chrono::duration<double> start_time() const { return start_time_; }
    // The standard output and standard error of all starts.
    std::string output() const;

    // Both return when the process has ended, and do nothing if it is stopped.
    void kill9();
    // SIGTERM. Returns the exit code, or 128 plus the signal. Throws if it takes longer.
    int terminate(std::chrono::seconds at_most = std::chrono::seconds(13));

    // SIGSTOP and SIGCONT: the process freezes with its connections open.
    void halt() const;
    void go_on() const;

    // kill9, launch, wait_until_serving.
    void restart();
    // Starts the process without waiting until it is ready.
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

// The result of a program that ran to its end.
struct Ended {
    int code = 0;
    std::string output;  // standard output and standard error
};

// Runs the program until it ends by itself; kills it after `at_most`, with code 137.
Ended run_to_end(const std::vector<std::string>& arguments,
                 std::chrono::seconds at_most = std::chrono::seconds(20));

}  // namespace holdfast::testing
