#include "measures/processor_time.h"

#include <time.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace holdfast::bench {
namespace {

struct Process {
    long parent = 0;
    double ticks = 0;
};

// Field 4 is the parent; 14 to 17 are the ticks of the process and of children that it waited for.
Process read_process(const std::filesystem::path& directory) {
    std::ostringstream text;
    text << std::ifstream(directory / "stat").rdbuf();
    const std::string line = text.str();
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos) return {};
    std::istringstream fields(line.substr(name_end + 2));
    Process process;
    std::string skipped;
    fields >> skipped >> process.parent;
    for (int field = 5; field < 14; ++field) fields >> skipped;
    for (int field = 14; field < 18; ++field) {
        double ticks = 0;
        fields >> ticks;
        process.ticks += ticks;
    }
    return process;
}

}  // namespace

double processor_seconds() {
    std::map<long, Process> processes;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
        const std::string name = entry.path().filename();
        long id = 0;
        std::from_chars(name.data(), name.data() + name.size(), id);
        if (id > 0) processes[id] = read_process(entry.path());
    }
    const long self = ::getpid();
    double ticks = 0;
    for (const auto& [id, process] : processes) {
        long ancestor = id;
        while (ancestor > 1 && ancestor != self) ancestor = processes[ancestor].parent;
        if (ancestor == self) ticks += process.ticks;
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

double own_processor_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

}  // namespace holdfast::bench
