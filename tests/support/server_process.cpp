#include "support/server_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Deadline = std::chrono::steady_clock::time_point;

constexpr auto longest_start = 60s;

std::string make_directory() {
    std::string path = fs::temp_directory_path() / "holdfast-server-XXXXXX";
    if (!::mkdtemp(path.data())) throw std::runtime_error("no temporary directory");
    return path;
}

std::string content_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Descriptor {
    explicit Descriptor(int number) : fd(number) {
        if (fd < 0) throw std::runtime_error("no file descriptor");
    }
    ~Descriptor() { ::close(fd); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    const int fd;
};

// Executes the program. Other threads may have held any lock during the fork, so only system calls
// are allowed here.
[[noreturn]] void become(char* const* arguments, char* const* environment, const char* log,
                         pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(126);
    const int out = ::open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (out < 0) ::_exit(126);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    ::close_range(3, ~0U, 0);
    ::execve(arguments[0], arguments, environment);
    ::_exit(127);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

// Programs use the first entry of a name: the setting comes before the inherited environment.
std::vector<std::string> environment_of(const ProcessSetting& setting) {
    std::vector<std::string> all = setting.environment;
    for (char** entry = environ; *entry; ++entry) all.emplace_back(*entry);
    return all;
}

pid_t spawn(std::vector<std::string> arguments, const std::string& log,
            const ProcessSetting& setting = {}) {
    arguments.insert(arguments.begin(), setting.program);
    std::vector<std::string> environment = environment_of(setting);
    const std::vector<char*> arguments_given = pointers_to(arguments);
    const std::vector<char*> environment_given = pointers_to(environment);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) become(arguments_given.data(), environment_given.data(), log.c_str(), parent);
    return child;
}

// A descriptor that is readable once the process has ended. glibc does not declare this for C++.
int open_process(pid_t pid) { return static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)); }

// Whether a descriptor became ready in time.
bool wait_for(std::vector<pollfd> any, Deadline deadline) {
    const auto left = deadline - std::chrono::steady_clock::now();
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec time{whole.count(), (left - whole).count()};
    return left > 0s && ::ppoll(any.data(), any.size(), &time, nullptr) > 0;
}

bool has_ended(pid_t pid) {
    siginfo_t found{};
    return ::waitid(P_PID, static_cast<id_t>(pid), &found, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           found.si_pid == pid;
}

bool wait_for_end(pid_t pid, Deadline deadline) {
    const Descriptor process(open_process(pid));
    return wait_for({{.fd = process.fd, .events = POLLIN, .revents = 0}}, deadline);
}

int reap(pid_t pid) {
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid) return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string holdfast_binary() {
    const char* path = std::getenv("HOLDFAST_BINARY");
    return path ? path : "build/bin/holdfast";
}

// LD_PRELOAD separates by spaces, which a path may contain; a search path may contain them. The
// address sanitizer refuses to start if it is not the first library, unless this is disabled.
void ProcessSetting::preload(const std::string& library) {
    const char* options = std::getenv("ASAN_OPTIONS");
    environment.push_back("LD_PRELOAD=" + fs::path(library).filename().string());
    environment.push_back("LD_LIBRARY_PATH=" + fs::path(library).parent_path().string());
    environment.push_back("ASAN_OPTIONS=verify_asan_link_order=0:" +
                          std::string(options ? options : ""));
}

ServerProcess::ServerProcess(std::string store_url, std::vector<std::string> more_arguments,
                             ProcessSetting setting)
    : store_url_(std::move(store_url)),
      more_arguments_(std::move(more_arguments)),
      setting_(std::move(setting)),
      directory_(make_directory()) {
    try {
        launch();
        wait_until_serving();
    } catch (...) {
        kill9();
        fs::remove_all(directory_);
        throw;
    }
}

ServerProcess::~ServerProcess() {
    kill9();
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
}

std::string ServerProcess::output() const { return content_of(directory_ + "/log"); }

void ServerProcess::kill9() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    reap(pid_);
    pid_ = 0;
}

bool ServerProcess::has_ended_itself() const { return pid_ != 0 && has_ended(pid_); }

void ServerProcess::halt() const {
    if (pid_ != 0) ::kill(pid_, SIGSTOP);
}

void ServerProcess::go_on() const {
    if (pid_ != 0) ::kill(pid_, SIGCONT);
}

int ServerProcess::terminate(std::chrono::seconds at_most) {
    if (pid_ == 0) return 0;
    ::kill(pid_, SIGTERM);
    const bool ended = wait_for_end(pid_, std::chrono::steady_clock::now() + at_most);
    if (!ended) kill9();
    if (!ended) throw std::runtime_error("the server did not stop: " + output());
    const int code = reap(pid_);
    pid_ = 0;
    return code;
}

void ServerProcess::restart() {
    kill9();
    launch();
    wait_until_serving();
}

void ServerProcess::launch() {
    if (pid_ != 0) throw std::runtime_error("the server runs already");
    address_file_ = directory_ + "/address." + std::to_string(++starts_);
    std::vector<std::string> arguments = {"serve",       "--store",     store_url_,
                                          "--listen",    "127.0.0.1:0", "--address-file",
                                          address_file_, "--log-level", "warn"};
    arguments.insert(arguments.end(), more_arguments_.begin(), more_arguments_.end());
    launched_ = std::chrono::steady_clock::now();
    pid_ = spawn(std::move(arguments), directory_ + "/log", setting_);
}

void ServerProcess::wait_until_serving() {
    const Descriptor watch(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
    const Descriptor process(open_process(pid_));
    ::inotify_add_watch(watch.fd, directory_.c_str(), IN_MOVED_TO);
    const auto deadline = launched_ + longest_start;
    while (!fs::exists(address_file_)) {
        const bool moved = wait_for({{.fd = watch.fd, .events = POLLIN, .revents = 0},
                                     {.fd = process.fd, .events = POLLIN, .revents = 0}},
                                    deadline);
        if (!moved || has_ended(pid_))
            throw std::runtime_error("the server did not start: " + output());
        char events[4096];
        while (::read(watch.fd, events, sizeof events) > 0) {
        }
    }
    start_time_ = std::chrono::steady_clock::now() - launched_;
    url_ = content_of(address_file_);
    while (url_.ends_with('\n')) url_.pop_back();
}

Ended run_to_end(const std::vector<std::string>& arguments, std::chrono::seconds at_most) {
    const std::string directory = make_directory();
    const pid_t pid = spawn(arguments, directory + "/log");
    if (!wait_for_end(pid, std::chrono::steady_clock::now() + at_most)) ::kill(pid, SIGKILL);
    const int code = reap(pid);
    Ended ended{code, content_of(directory + "/log")};
    fs::remove_all(directory);
    return ended;
}

}  // namespace holdfast::testing
