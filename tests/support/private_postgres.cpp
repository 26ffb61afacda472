#include "support/private_postgres.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "store/postgres/connection/connection.h"

namespace holdfast::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::string_view programs = "/usr/lib/postgresql/15/bin/";
constexpr std::string_view directory_prefix = "holdfast_pg.";

std::string program(std::string_view name) {
    std::string path(programs);
    return path.append(name);
}

struct User {
    uid_t id;
    gid_t group;
};

// The server refuses to run as root.
std::optional<User> server_user() {
    if (::geteuid() != 0) return std::nullopt;
    const passwd* user = ::getpwnam("postgres");
    if (!user) throw std::runtime_error("running as root needs a user named postgres");
    return User{user->pw_uid, user->pw_gid};
}

// Executes the command; never returns. The kernel clears the parent-death signal when the user
// changes, so it is set afterwards.
[[noreturn]] void become(const std::vector<std::string>& command, const std::optional<User>& user,
                         const std::string& log, pid_t parent) {
    if (user &&
        (::setgroups(0, nullptr) != 0 || ::setgid(user->group) != 0 || ::setuid(user->id) != 0))
        ::_exit(126);
    ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
    if (::getppid() != parent) ::_exit(126);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (out >= 0) {
        ::dup2(out, STDOUT_FILENO);
        ::dup2(out, STDERR_FILENO);
    }
    std::vector<char*> arguments;
    for (const std::string& argument : command)
        arguments.push_back(const_cast<char*>(argument.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
}

pid_t launch(const std::vector<std::string>& command, const std::string& log) {
    const std::optional<User> user = server_user();
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) become(command, user, log, parent);
    return child;
}

std::string read_all(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// Removes clusters of killed tests, whose process id is in the directory name.
void remove_leftovers() {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path(), ignored)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with(directory_prefix)) continue;
        pid_t owner = 0;
        std::from_chars(name.data() + directory_prefix.size(), name.data() + name.size(), owner);
        if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) fs::remove_all(entry, ignored);
    }
}

std::string make_cluster_directory() {
    std::string path = fs::temp_directory_path() /
                       (std::string(directory_prefix) + std::to_string(::getpid()) + ".XXXXXX");
    if (!::mkdtemp(path.data())) throw std::runtime_error("mkdtemp failed");
    const auto user = server_user();
    if (user && ::chown(path.c_str(), user->id, user->group) != 0)
        throw std::runtime_error("chown failed");
    return path;
}

postgres::Address address(const std::string& url) { return {url, 5s}; }

}  // namespace

PrivatePostgres::PrivatePostgres(Options options) : options_(std::move(options)) {
    remove_leftovers();
    directory_ = make_cluster_directory();
    create_cluster();
    start();
}

PrivatePostgres::~PrivatePostgres() {
    if (pid_ != 0) stop(StopMode::immediate);
    std::error_code ignored;
    fs::remove_all(directory_, ignored);
}

void PrivatePostgres::create_cluster() const {
    const std::string log = directory_ + "/initdb.log";
    const pid_t child =
        launch({program("initdb"), "--pgdata=" + directory_ + "/cluster", "--username=postgres",
                "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"},
               log);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) throw std::runtime_error("initdb failed: " + read_all(log));
}

std::vector<std::string> PrivatePostgres::server_command() const {
    const auto port = options_.loopback_port;
    std::vector<std::string> command = {
        program("postgres"),
        "-D",
        directory_ + "/cluster",
        "-k",
        directory_,
        "-c",
        std::string("listen_addresses=") + (port ? "127.0.0.1" : ""),
        "-c",
        "shared_preload_libraries=pg_stat_statements"};
    if (port) command.insert(command.end(), {"-p", std::to_string(*port)});
    for (const std::string& setting : options_.settings)
        command.insert(command.end(), {"-c", setting});
    return command;
}

void PrivatePostgres::start() {
    pid_ = launch(server_command(), directory_ + "/server.log");
    wait_until_ready();
}

void PrivatePostgres::wait_until_ready() const {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < deadline) {
        if (postgres::Connection::open(address(url()), postgres::Role::reader)) return;
        if (::waitpid(pid_, nullptr, WNOHANG) != 0) break;
        postgres::pause(20ms);
    }
    throw std::runtime_error("the server did not start: " + read_all(directory_ + "/server.log"));
}

void PrivatePostgres::stop(StopMode mode) {
    const int signal = mode == StopMode::fast        ? SIGINT
                       : mode == StopMode::immediate ? SIGQUIT
                                                     : SIGKILL;
    ::kill(pid_, signal);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
}

std::string PrivatePostgres::url(const std::string& database) const {
    const std::string port =
        options_.loopback_port ? "&port=" + std::to_string(*options_.loopback_port) : "";
    return "postgres:///" + database + "?host=" + directory_ + "&user=postgres" + port;
}

std::string PrivatePostgres::loopback_url(const std::string& database) const {
    if (!options_.loopback_port) throw std::runtime_error("this server has no loopback port");
    return "postgres://postgres@127.0.0.1:" + std::to_string(*options_.loopback_port) + "/" +
           database;
}

void PrivatePostgres::create_database(const std::string& name, const std::string& original) {
    auto connection = postgres::Connection::open(address(url()), postgres::Role::maintenance);
    if (!connection) throw std::runtime_error(connection.error().message);
    if (auto done = (*connection)->script("create database " + name + " template " + original);
        !done)
        throw std::runtime_error(done.error().message);
}

}  // namespace holdfast::testing
