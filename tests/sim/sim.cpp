// The simulation as a program: runs many seeds and prints what occurred. A failing seed prints the
// command that reproduces it.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "base/log.h"
#include "sim/fleet.h"
#include "sim/replay.h"

namespace holdfast::sim {
namespace {

struct Totals {
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::uint64_t operations = 0;
    std::uint64_t commits = 0;
    std::chrono::microseconds simulated{0};
    std::array<std::uint64_t, fault_count> injected{};
    std::map<std::string, std::uint64_t> counters;

    void add(const RunReport& report) {
        ++(report.violations.empty() ? passed : failed);
        operations += report.operations;
        commits += report.commits;
        simulated += report.simulated;
        for (std::size_t i = 0; i < fault_count; ++i) injected[i] += report.faults.injected[i];
        for (const auto& [what, times] : report.counters) counters[what] += times;
    }
};

void describe(const RunOptions& options, const RunReport& report) {
    std::cout << "seed " << options.seed << " failed (" << report.setting << ")\n";
    std::size_t shown = 0;
    for (const std::string& violation : report.violations) {
        std::cout << "  " << violation << '\n';
        if (++shown == 10) break;
    }
    std::cout << "  reproduce: ./dev sim --first " << options.seed << " --seeds 1 --ops "
              << options.operations << std::endl;
}

// Whether every relevant situation has occurred.
bool saw_everything(const Totals& totals) {
    bool all = true;
    for (const std::string& what : sometimes()) {
        const auto found = totals.counters.find(what);
        if (found != totals.counters.end() && found->second > 0) continue;
        std::cout << "never seen: " << what << '\n';
        all = false;
    }
    for (std::size_t i = 0; i < fault_count; ++i)
        if (totals.injected[i] == 0) {
            std::cout << "never injected: " << fault_names[i] << '\n';
            all = false;
        }
    return all;
}

void print(const Totals& totals, double seconds) {
    std::cout << "sometimes:\n";
    for (const auto& [what, times] : totals.counters)
        std::cout << "  " << what << ": " << times << '\n';
    std::uint64_t faults = 0;
    std::cout << "faults:\n";
    for (std::size_t i = 0; i < fault_count; ++i) {
        std::cout << "  " << fault_names[i] << ": " << totals.injected[i] << '\n';
        faults += totals.injected[i];
    }
    const double days = std::chrono::duration<double>(totals.simulated).count() / 86'400;
    std::cout << totals.operations << " operations, " << totals.commits << " commits, " << faults
              << " faults, " << days << " days simulated in " << seconds << " s ("
              << static_cast<std::uint64_t>(static_cast<double>(totals.operations) / seconds)
              << " operations/s)\n";
}

int run(std::uint64_t first, std::size_t seeds, std::size_t operations) {
    const auto began = std::chrono::steady_clock::now();
    Totals totals;
    for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
        const RunOptions options{seed, operations};
        const RunReport report = simulate(options);
        totals.add(report);
        if (!report.violations.empty()) describe(options, report);
        if ((seed - first + 1) % 500 == 0)
            std::cout << (seed - first + 1) << " of " << seeds << " seeds" << std::endl;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    print(totals, took.count());
    const bool enough = seeds < 200 || saw_everything(totals);
    std::cout << totals.passed << " passed, " << totals.failed << " failed\n";
    return totals.failed == 0 && enough ? 0 : 1;
}

int run_again(const std::string& path) {
    std::ifstream trace(path);
    const auto report = trace ? replay(trace) : fail(ErrorCode::not_found, "no such file");
    if (!report) {
        std::cerr << path << ": " << report.error().message << '\n';
        return 1;
    }
    for (const std::string& difference : report->differences) std::cout << difference << '\n';
    std::cout << report->rounds << " rounds\n"
              << report->passed << " passed, " << report->failed << " failed\n";
    return report->failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace holdfast::sim

int main(int count, char** arguments) {
    CLI::App program("Runs simulated fleets under faults and checks the results");
    std::uint64_t first = 1;
    std::size_t seeds = 200;
    std::size_t operations = 500;
    program.add_option("--first", first, "The first seed")->capture_default_str();
    program.add_option("--seeds", seeds, "How many seeds")->capture_default_str();
    program.add_option("--ops", operations, "Operations per seed")->capture_default_str();
    std::string trace;
    program.add_option(
        "--replay", trace,
        "Replay a trace of `holdfast serve --trace-rounds` instead of running seeds");
    CLI11_PARSE(program, count, arguments);
    holdfast::log::set_level(holdfast::log::Level::off);
    if (!trace.empty()) return holdfast::sim::run_again(trace);
    return holdfast::sim::run(first, seeds, operations);
}
