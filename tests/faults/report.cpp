#include <poll.h>

#include <algorithm>
#include <cstdio>

#include "faults/facts.h"
#include "faults/faults.h"

namespace holdfast::testing {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_printed = 5;

}  // namespace

double FaultReport::percentile(double share) const {
    if (milliseconds.empty()) return 0;
    std::vector<double> sorted = milliseconds;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

std::string FaultReport::figures() const {
    char line[600];
    std::snprintf(line, sizeof line,
                  "%s %s: %zu faults, %zu workflows, %zu operations acknowledged, %zu unknown, "
                  "%zu lost, %zu doubled, %zu stuck, %zu otherwise wrong",
                  passed() ? "ok  " : "FAIL", name.c_str(), faults, findings.relays,
                  findings.acknowledged, findings.unknown, findings.lost.size(),
                  findings.doubled.size(), findings.stuck.size(),
                  findings.broken.size() + findings.otherwise.size() + wrong.size());
    std::string text = line;
    if (!milliseconds.empty()) {
        std::snprintf(line, sizeof line, ", %s p50 %.0f ms p99 %.0f ms", recovery.c_str(),
                      percentile(0.5), percentile(0.99));
        text += line;
    }
    return more.empty() ? text : text + ", " + more;
}

std::string FaultReport::complaints() const {
    std::string text = findings.complaints();
    for (std::size_t i = 0; i < std::min(wrong.size(), most_printed); ++i)
        text += "  " + wrong[i] + '\n';
    return text;
}

Rounds::Rounds(const FaultOptions& options, FaultReport& report)
    : options_(options), report_(report), deadline_(Clock::now() + options.at_most) {}

bool Rounds::next() {
    if (report_.faults == static_cast<std::size_t>(options_.faults)) return false;
    if (Clock::now() > deadline_) {
        report_.wrong.push_back("out of time after " + std::to_string(report_.faults) + " of " +
                                std::to_string(options_.faults) + " faults");
        return false;
    }
    ++report_.faults;
    return true;
}

void let_pass(std::chrono::microseconds time) {
    const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time);
    const timespec duration{whole.count(), std::chrono::nanoseconds(time - whole).count()};
    ::ppoll(nullptr, 0, &duration, nullptr);
}

void wait_for_recovery(RelayLoad& load, std::chrono::seconds at_most, FaultReport& report) {
    const auto began = Clock::now();
    if (!load.wait_for(1, at_most))
        report.wrong.push_back("nothing was acknowledged within " +
                               std::to_string(at_most.count()) + " s after fault " +
                               std::to_string(report.faults));
    const std::chrono::duration<double, std::milli> took = Clock::now() - began;
    report.milliseconds.push_back(took.count());
}

std::vector<RelayFacts> judge(RelayLoad& load, const std::string& url, FaultReport& report,
                              std::chrono::seconds at_most) {
    const Ledger ledger = load.finish(at_most);
    ServerClient client(url);
    std::vector<RelayFacts> facts = read_facts(client, ledger);
    report.findings += check(ledger, facts);
    return facts;
}

}  // namespace holdfast::testing
