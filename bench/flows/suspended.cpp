#include "suspended.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "base/threads/pause.h"
#include "measures/crowd.h"

namespace holdfast::bench {
namespace {

using Steady = std::chrono::steady_clock;

double seconds_since(Steady::time_point began) {
    return std::chrono::duration<double>(Steady::now() - began).count();
}

struct Child {
    pid_t pid = 0;
    FILE* output = nullptr;
};

Child spawn_suspender(const std::string& store, std::size_t count) {
    int ends[2];
    if (::pipe(ends) != 0) throw std::runtime_error("cannot open a pipe");
    const std::string number = std::to_string(count);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        ::execl("/proc/self/exe", "bench_flows", "--suspend-on", store.c_str(), "--suspended",
                number.c_str(), static_cast<char*>(nullptr));
        ::_exit(127);
    }
    ::close(ends[1]);
    return {pid, ::fdopen(ends[0], "r")};
}

}  // namespace

double resident_mb() {
    std::ifstream file("/proc/self/statm");
    std::size_t total = 0;
    std::size_t resident = 0;
    file >> total >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

int suspend_here(const std::string& store, std::size_t count) {
    Node node({.store = store, .name = "suspended"});
    add_flows(node);
    (void)node.start("steps", 1);
    const double base = resident_mb();
    const auto ids = suspend_many(node, count);
    while (node.status(ids.back()) != "suspended") pause_for(std::chrono::milliseconds(10));
    pause_for(std::chrono::seconds(1));
    const double cpu = own_processor_seconds();
    pause_for(std::chrono::seconds(3));
    std::printf("%f %f %f %s\n", resident_mb(), resident_mb() - base,
                (own_processor_seconds() - cpu) * 1e6 / 3, ids.front().c_str());
    std::fflush(stdout);
    for (;;) ::pause();
}

Suspended suspend_and_kill(const std::string& store, std::size_t count) {
    const Child child = spawn_suspender(store, count);
    Suspended figures;
    char id[64] = "";
    const int read = std::fscanf(child.output, "%lf %lf %lf %63s", &figures.rss_mb,
                                 &figures.rss_growth_mb, &figures.idle_cpu_us, id);
    ::kill(child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
    std::fclose(child.output);
    if (read != 4) throw std::runtime_error("the suspending process exited before it was killed");

    const auto began = Steady::now();
    Node node({.store = store, .name = "restarted"});
    add_flows(node);
    node.open();
    (void)node.status(id);
    figures.serving_s = seconds_since(began);
    node.send(id, "go", 7);
    (void)node.result<int>(id);
    figures.awake_s = seconds_since(began);
    return figures;
}

}  // namespace holdfast::bench
