// Injects every kind of fault many times and checks the results of the work.
//
//     campaign_faults [--short] [--minutes N] [--seed S] [--only NAME]
#include "faults/faults.h"

#include <charconv>
#include <chrono>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace std::chrono_literals;
using holdfast::testing::FaultOptions;
using holdfast::testing::FaultReport;
using holdfast::testing::Outage;
using holdfast::testing::run_idle;
using holdfast::testing::run_outage;
using Clock = std::chrono::steady_clock;

struct Arguments {
    bool shortly = false;
    int minutes = 60;  // no kind starts later
    std::uint64_t seed = Clock::now().time_since_epoch().count() % 1'000'000;
    std::string only;  // empty: all
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

bool read_arguments(const std::vector<std::string>& given, Arguments& arguments) {
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] == "--short") {
            arguments.shortly = true;
            continue;
        }
        if (i + 1 == given.size()) return false;
        const std::string& value = given[i + 1];
        const bool known = (given[i] == "--seed" && read_number(value, arguments.seed)) ||
                           (given[i] == "--minutes" && read_number(value, arguments.minutes)) ||
                           (given[i] == "--only" && !(arguments.only = value).empty());
        if (!known) return false;
        ++i;
    }
    return arguments.minutes > 0;
}

struct Kind {
    const char* name;
    int faults;
    int faults_in_short;
    std::function<FaultReport(const FaultOptions&)> run;
};

Kind outage(const char* name, Outage which) {
    return {name, 5, 1,
            [which](const FaultOptions& options) { return run_outage(which, options); }};
}

// For the idle test, `faults` is its duration in seconds.
Kind idle(const char* name, const char* store) {
    return {name, 60, 10, [store](const FaultOptions& options) {
                return run_idle({.store = store, .time = std::chrono::seconds(options.faults)});
            }};
}

std::vector<Kind> kinds() {
    using namespace holdfast::testing;
    return {{"kills", 200, 5, kill_on_sqlite},
            {"nodes", 100, 3, lose_nodes},
            {"commits", 300, 12, cut_commits},
            {"restarts", 30, 3, restart_database},
            {"notifications", 50, 10, drop_notifications},
            {"poison", 1, 1, run_poison},
            {"disk", 10, 2, fill_disk},
            {"clock", 9, 3, jump_clock},
            outage("one_node_down", Outage::one_node_down),
            outage("all_nodes_down", Outage::all_nodes_down),
            outage("database_down", Outage::database_down),
            outage("nodes_and_database_down", Outage::nodes_and_database_down),
            idle("idle_sqlite", "sqlite"),
            idle("idle_postgres", "postgres")};
}

std::string replay_of(const Arguments& arguments, const char* kind) {
    return "./dev campaign faults --seed " + std::to_string(arguments.seed) + " --only " + kind +
           (arguments.shortly ? " --short" : "");
}

// Whether the kind passed.
bool run(const Kind& kind, const Arguments& arguments, Clock::time_point deadline) {
    try {
        const auto left = std::chrono::duration_cast<std::chrono::seconds>(deadline - Clock::now());
        if (left <= 0s) throw std::runtime_error("no time left");
        const FaultReport report =
            kind.run({.faults = arguments.shortly ? kind.faults_in_short : kind.faults,
                      .seed = arguments.seed,
                      .at_most = left});
        std::printf("%s\n%s", report.figures().c_str(), report.complaints().c_str());
        if (report.passed()) return true;
    } catch (const std::exception& failure) {
        std::printf("FAIL %s: %s\n", kind.name, failure.what());
    }
    std::printf("  repeat with: %s\n", replay_of(arguments, kind.name).c_str());
    return false;
}

}  // namespace

int main(int count, char** values) {
    Arguments arguments;
    if (!read_arguments({values + 1, values + count}, arguments)) {
        std::fputs("usage: campaign_faults [--short] [--minutes N] [--seed S] [--only NAME]\n",
                   stderr);
        return 2;
    }
    std::printf("seed %llu\n", static_cast<unsigned long long>(arguments.seed));
    const auto deadline = Clock::now() + std::chrono::minutes(arguments.minutes);
    int passed = 0;
    int failed = 0;
    for (const Kind& kind : kinds()) {
        if (!arguments.only.empty() && arguments.only != kind.name) continue;
        ++(run(kind, arguments, deadline) ? passed : failed);
        std::fflush(stdout);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}
