// The kinds of faults: each runs a load against real servers, injects faults, waits for recovery,
// and compares the answers with the stored histories.
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
    std::chrono::seconds at_most{300};  // no fault begins later; missing faults are a failure
};

struct FaultReport {
    std::string name;
    std::size_t faults = 0;
    Findings findings;
    std::string recovery = "serving again after";  // the label of `milliseconds`
    std::vector<double> milliseconds = {};
    std::vector<std::string> wrong = {};  // failures besides those of the ledger
    std::string more = {};                // further figures

    bool passed() const { return wrong.empty() && findings.violations() == 0; }
    double percentile(double share) const;
    // One line with all figures.
    std::string figures() const;
    // The first few failures, one per line.
    std::string complaints() const;
};

// Counts faults; ends early, with a failure, when the time is over.
class Rounds {
public:
    Rounds(const FaultOptions& options, FaultReport& report);
    bool next();

private:
    const FaultOptions& options_;
    FaultReport& report_;
    const std::chrono::steady_clock::time_point deadline_;
};

// A plain sleep: a fault should hit at any moment.
void let_pass(std::chrono::microseconds time);

// Waits for the next acknowledged request of the load and records how long it took; a timeout is a
// failure.
void wait_for_recovery(RelayLoad& load, std::chrono::seconds at_most, FaultReport& report);

// Waits for the load to finish, compares its ledger with the histories on the server at `url`, and
// returns those.
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
    std::size_t suspended = 10'000;
    std::chrono::seconds time{10};
};

// A node whose workflows all wait sends nothing but heartbeats to the store, and its next timer
// still fires on time.
FaultReport run_idle(const IdleOptions& options);

}  // namespace holdfast::testing
