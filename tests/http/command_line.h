// The command line with a real server process.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "http/wire/client_connection.h"

extern char** environ;

namespace holdfast::cli {

namespace bj = boost::json;

inline std::string binary() {
    const char* path = std::getenv("HOLDFAST_BINARY");
    return path ? path : "build/bin/holdfast";
}

inline std::string content_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Directory {
public:
    Directory() {
        std::string path = std::filesystem::temp_directory_path() / "holdfast-cli-XXXXXX";
        path_ = ::mkdtemp(path.data());
    }
    ~Directory() { std::filesystem::remove_all(path_); }
    std::string file(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

// Redirects its streams to files, so that no pipe can fill up.
inline pid_t spawn(std::vector<std::string> arguments, const Directory& place,
                   const std::string& input = {}) {
    std::ofstream(place.file("stdin")) << input;
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    const int fresh = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&streams, 0, place.file("stdin").c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&streams, 1, place.file("stdout").c_str(), fresh, 0600);
    posix_spawn_file_actions_addopen(&streams, 2, place.file("stderr").c_str(), fresh, 0600);
    arguments.insert(arguments.begin(), binary());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_t pid = 0;
    const int error = posix_spawn(&pid, argv[0], &streams, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&streams);
    EXPECT_EQ(error, 0) << "cannot run " << argv[0];
    return error ? 0 : pid;
}

inline int exit_code_of(pid_t pid) {
    int status = 0;
    if (pid == 0 || ::waitpid(pid, &status, 0) != pid) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

struct Ran {
    int code;
    std::string out;
    std::string err;
};

inline Ran run(std::vector<std::string> arguments, const std::string& input = {}) {
    const Directory place;
    const int code = exit_code_of(spawn(std::move(arguments), place, input));
    return {code, content_of(place.file("stdout")), content_of(place.file("stderr"))};
}

// Returns once the file has content; absent: not within ten seconds.
inline std::optional<std::string> wait_for(const Directory& place, const std::string& name) {
    const int watch = ::inotify_init1(IN_NONBLOCK);
    ::inotify_add_watch(watch, place.path().c_str(), IN_CLOSE_WRITE | IN_MOVED_TO);
    std::string content = content_of(place.file(name));
    pollfd ready{.fd = watch, .events = POLLIN, .revents = 0};
    while (content.empty() && ::poll(&ready, 1, 10'000) > 0) {
        char events[4096];
        while (::read(watch, events, sizeof events) > 0) {
        }
        content = content_of(place.file(name));
    }
    ::close(watch);
    if (content.empty()) return std::nullopt;
    while (content.ends_with('\n')) content.pop_back();
    return content;
}

// One server for all tests of the suite.
class CommandLine : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        place_ = new Directory;
        server_ =
            spawn({"serve", "--store", "sqlite:" + place_->file("cli.db"), "--listen",
                   "127.0.0.1:0", "--address-file", place_->file("address"), "--log-level", "off"},
                  *place_);
        const auto address = wait_for(*place_, "address");
        ASSERT_TRUE(address) << content_of(place_->file("stderr"));
        ::setenv("HOLDFAST_SERVER", address->c_str(), 1);
        ASSERT_EQ(run({"define", "order", "--index", "currentStep"}).code, 0);
    }
    static void TearDownTestSuite() {
        ::kill(server_, SIGTERM);
        EXPECT_EQ(exit_code_of(server_), 0) << "a server exits with 0 after SIGTERM";
        ::unsetenv("HOLDFAST_SERVER");
        delete place_;
    }

    static bj::object started(std::vector<std::string> more = {}) {
        std::vector<std::string> arguments{"start", "order", "-o", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Ran ran = run(std::move(arguments));
        EXPECT_EQ(ran.code, 0) << ran.err;
        return ran.code ? bj::object{} : bj::parse(ran.out).as_object();
    }
    static std::string started_id(const std::string& state) {
        return std::string(started({"--state", state}).at("id").as_string());
    }

    static inline Directory* place_ = nullptr;
    static inline pid_t server_ = 0;
};

}  // namespace holdfast::cli
