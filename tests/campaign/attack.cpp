// Every attack against a server under normal load: how long the normal clients wait beside how long
// they wait alone, the memory of the server, and what was lost.
//
//     campaign_attack [--rounds N] [--stores sqlite,postgres] [--only TEXT]
#include <charconv>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "attack/assault.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

constexpr double most_times_slower = 3;
// Below this, in milliseconds, the p99 is that of the machine.
constexpr double floor_ms = 5;

struct Arguments {
    int rounds = 100;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::string only;
};

bool read_arguments(const std::vector<std::string>& given, Arguments& arguments) {
    if (given.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < given.size(); i += 2) {
        const std::string& value = given[i + 1];
        if (given[i] == "--only") {
            arguments.only = value;
        } else if (given[i] == "--stores") {
            arguments.stores.clear();
            std::istringstream list(value);
            for (std::string store; std::getline(list, store, ',');)
                arguments.stores.push_back(store);
        } else if (given[i] == "--rounds") {
            const auto [end, error] =
                std::from_chars(value.data(), value.data() + value.size(), arguments.rounds);
            if (error != std::errc{} || arguments.rounds < 1) return false;
        } else {
            return false;
        }
    }
    return true;
}

bool run_one(const std::string& store, const Attack& attack, int rounds) {
    const StorePlace place(store);
    ServerProcess server(place.url());
    const AssaultReport report = run_assault(server, attack, rounds);
    const double alone = report.alone.percentile(0.99);
    const double attacked = report.attacked.percentile(0.99);
    const double times = attacked / std::max(alone, floor_ms);
    const std::size_t wrong = report.alone.wrong.size() + report.attacked.wrong.size();
    const bool passed = times <= most_times_slower && report.resident < most_resident &&
                        report.lost.empty() && wrong == 0 && report.complaints.empty();
    std::printf(
        "%s %-8s %-42s p99 alone %7.1f ms, attacked %7.1f ms (%.1fx of at least %.0f ms), p50 %.1f "
        "and %.1f ms, "
        "resident %3zu MB, lost %zu, wrong %zu\n",
        passed ? "ok  " : "FAIL", store.c_str(), attack.name.c_str(), alone, attacked, times,
        floor_ms, report.alone.percentile(0.5), report.attacked.percentile(0.5),
        report.resident >> 20, report.lost.size(), wrong);
    if (!passed)
        for (const auto& [kind, took] : report.attacked.slowest)
            std::printf("  slowest %s: %.1f ms\n", kind.c_str(), took);
    for (const std::string& line : report.attacked.wrong) std::printf("  %s\n", line.c_str());
    for (const std::string& line : report.complaints) std::printf("  %s\n", line.c_str());
    std::fflush(stdout);
    return passed;
}

int run(const Arguments& arguments) {
    int passed = 0;
    int failed = 0;
    for (const std::string& store : arguments.stores)
        for (const Attack& attack : all_attacks())
            if (attack.name.contains(arguments.only))
                ++(run_one(store, attack, arguments.rounds) ? passed : failed);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace holdfast::testing

int main(int argc, char** argv) {
    holdfast::testing::Arguments arguments;
    if (!holdfast::testing::read_arguments({argv + 1, argv + argc}, arguments)) {
        std::fprintf(stderr,
                     "usage: campaign_attack [--rounds N] [--stores sqlite,postgres] [--only "
                     "TEXT]\n");
        return 2;
    }
    return holdfast::testing::run(arguments);
}
