// Plants one defect at a time and runs the simulation until it is caught. A defect that is not
// caught, or that is found in the shipped binary, fails the run.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iostream>
#include <iterator>

#include "base/defect.h"
#include "base/log.h"
#include "sim/fleet.h"

namespace holdfast::sim {
namespace {

constexpr std::array defects{"no_channel_lock",
                             "unguarded_update",
                             "answer_before_commit",
                             "lost_commit_is_repeated",
                             "fold_out_of_order",
                             "timer_without_token",
                             "dedupe_by_last_id",
                             "source_before_destination",
                             "inbox_left_behind",
                             "completion_not_told",
                             "run_not_fenced",
                             "expired_is_delivered",
                             "conflict_invents_version",
                             "edit_ignores_version",
                             "lease_not_compared",
                             "dead_node_acts",
                             "continuation_left_behind",
                             "continuation_not_made",
                             "attempt_counted_late",
                             "processed_not_kept",
                             "stale_token_accepted",
                             "buried_and_kept",
                             "buried_and_lost",
                             "due_signal_stays",
                             "sleep_not_seen"};

constexpr std::uint64_t most_seeds = 2'000;
constexpr int caught_by_judge = 10;
constexpr int not_caught = 11;

// In a separate process: a defect may trigger an assertion.
int hunt(std::string_view defect, int report) {
    planted_defect = defect;
    for (std::uint64_t seed = 1; seed <= most_seeds; ++seed) {
        const std::string started = "seed " + std::to_string(seed) + "\n";
        if (write(report, started.data(), started.size()) < 0) return not_caught;
        const RunReport run = simulate({.seed = seed, .operations = 300});
        if (run.violations.empty()) continue;
        const std::string what = run.violations.front() + "\n";
        if (write(report, what.data(), what.size()) < 0) return not_caught;
        return caught_by_judge;
    }
    return not_caught;
}

std::string last_lines(int report) {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t count; (count = read(report, buffer.data(), buffer.size())) > 0;)
        text.append(buffer.data(), static_cast<std::size_t>(count));
    const std::size_t last = text.rfind("seed ");
    std::string lines = last == std::string::npos ? text : text.substr(last);
    std::ranges::replace(lines, '\n', ' ');
    return lines;
}

bool is_caught(std::string_view defect) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        if (!freopen("/dev/null", "w", stderr)) _exit(not_caught);
        _exit(hunt(defect, ends[1]));
    }
    close(ends[1]);
    const std::string lines = last_lines(ends[0]);
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    const bool by_judge = WIFEXITED(status) && WEXITSTATUS(status) == caught_by_judge;
    const bool by_assertion = WIFSIGNALED(status);
    std::cout << defect << ": "
              << (by_judge       ? "caught by the simulation: "
                  : by_assertion ? "caught by an assertion in the simulation: "
                                 : "NOT CAUGHT: ")
              << lines << std::endl;
    return by_judge || by_assertion;
}

std::string contents(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The names must be in this program, which proves that the search works, but not in the shipped
// one.
bool ships_clean() {
    const char* shipped = std::getenv("HOLDFAST_BINARY");
    if (!shipped) return true;
    const std::string own = contents("/proc/self/exe");
    const std::string release = contents(shipped);
    bool clean = !release.empty();
    for (const char* defect : defects) {
        if (own.find(defect) == std::string::npos) clean = false;
        if (release.find(defect) == std::string::npos) continue;
        std::cout << defect << " is in the shipped binary\n";
        clean = false;
    }
    std::cout << "searched the shipped binary: " << (clean ? "none of them" : "NOT CLEAN") << '\n';
    return clean;
}

}  // namespace
}  // namespace holdfast::sim

int main() {
    using namespace holdfast::sim;
    holdfast::log::set_level(holdfast::log::Level::off);
    std::size_t caught = 0;
    for (const char* defect : defects) caught += is_caught(defect);
    std::cout << caught << " of " << defects.size() << " planted defects caught\n";
    return caught == defects.size() && ships_clean() ? 0 : 1;
}
