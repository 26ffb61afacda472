// The kinds of faults: each runs a load against real servers, does harm, heals, and compares what
// was told with what is there.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "faults/ledger.h"
#include "faults/relay_load.h"

namespace holdfast::testing {

struct FaultOptions {
    int faults = 3;
    std::uint64_t seed = 1;
    std::chrono::seconds at_most{300};  // no fault begins later: what is left undone is a failure
};

struct FaultReport {
    std::string name;
    std::size_t faults = 0;
    Findings findings;
    std::string recovery = "serving again after";  // what the times below are
    std::vector<double> milliseconds = {};
    std::vector<std::string> wrong = {};  // beside what the ledger shows
    std::string more = {};                // further figures

    bool passed() const { return wrong.empty() && findings.violations() == 0; }
    double percentile(double share) const;
    // One line with all figures.
    std::string figures() const;
    // The first few things that are wrong, one a line.
    std::string complaints() const;
};

// Counts faults and time, and says when there is no time for another.
class Rounds {
public:
    Rounds(const FaultOptions& options, FaultReport& report);
    bool next();

private:
    const FaultOptions& options_;
    FaultReport& report_;
    const std::chrono::steady_clock::time_point deadline_;
};

// Nothing is waited for: a fault should hit anything.
void let_pass(std::chrono::microseconds time);

// Waits until the load was acknowledged something new, which must happen in time; notes how long it
// took.
void wait_for_recovery(RelayLoad& load, std::chrono::seconds at_most, FaultReport& report);

// Lets the load come to its end and compares its ledger with what the server there has, which is
// returned.
std::vector<RelayFacts> judge(RelayLoad& load, const std::string& url, FaultReport& report,
                              std::chrono::seconds at_most = std::chrono::seconds(60));

FaultReport kill_on_sqlite(const FaultOptions& options);
FaultReport lose_nodes(const FaultOptions& options);
FaultReport cut_commits(const FaultOptions& options);
FaultReport restart_database(const FaultOptions& options);
FaultReport drop_notifications(const FaultOptions& options);
FaultReport run_poison(const FaultOptions& options);
FaultReport fill_disk(const FaultOptions& options);
FaultReport jump_clock(const FaultOptions& options);

enum class Outage {
    one_node_down,
    all_nodes_down,
    database_down,
    nodes_and_database_down,
};

FaultReport run_outage(Outage outage, const FaultOptions& options);

struct IdleOptions {
    std::string store;  // "sqlite" or "postgres"
    std::size_t sleeping = 10'000;
    std::chrono::seconds time{10};
};

// Nothing is asked of the store while everything sleeps, and the next timer still fires in time.
FaultReport rest_idle(const IdleOptions& options);

}  // namespace holdfast::testing
