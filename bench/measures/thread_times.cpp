#include "measures/thread_times.h"

#include <time.h>

#include <charconv>
#include <filesystem>
#include <fstream>

namespace holdfast::bench {
namespace {

double seconds_of(clockid_t clock) {
    timespec time{};
    if (::clock_gettime(clock, &time) != 0) return 0;  // the thread has ended
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// Linux's clock of another thread of this process; finer than the ticks in /proc.
clockid_t clock_of(int thread) {
    return static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | 6);
}

std::string line_of(const std::filesystem::path& path) {
    std::string line;
    std::ifstream file(path);
    std::getline(file, line);
    return line;
}

// Threads that have work of their own are reported one by one, pools together.
std::string reported_name(const std::string& thread) {
    const std::size_t number = thread.find_last_not_of("0123456789") + 1;
    const bool is_numbered = number > 0 && number < thread.size() && thread[number - 1] == '-';
    if (!is_numbered) return thread;
    for (const char* alone : {"round-", "answer-", "http-"})
        if (thread.starts_with(alone)) return thread;
    return thread.substr(0, number) + "N";
}

}  // namespace

std::map<std::string, double> thread_seconds() {
    std::map<std::string, double> seconds;
    const std::string process = line_of("/proc/self/comm");
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        const std::string id = entry.path().filename();
        const std::string name = line_of(entry.path() / "comm");
        if (name == process) continue;
        int thread = 0;
        std::from_chars(id.data(), id.data() + id.size(), thread);
        seconds[reported_name(name)] += seconds_of(clock_of(thread));
    }
    return seconds;
}

double own_thread_seconds() { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

}  // namespace holdfast::bench
