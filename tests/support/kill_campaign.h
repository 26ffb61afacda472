// Repeatedly kills or stops a server under load on one store, and checks the data each time.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "support/load_judge.h"

namespace holdfast::testing {

struct CampaignOptions {
    std::string store;  // "sqlite" or "postgres"
    int rounds = 10;
    std::size_t writers = 16;
    std::uint64_t seed = 1;
    std::chrono::seconds at_most{120};  // a round that would begin later is a violation
};

struct CampaignReport {
    int passed = 0;  // rounds without a violation
    int failed = 0;
    int killed_while_starting = 0;
    Verdict verdict;
    std::vector<double> start_milliseconds;  // from launch to serving, after each round

    // `share` is from 0 to 1.
    double start_percentile(double share) const;
    // One line with all figures.
    std::string figures() const;
    // The first few violations, one per line.
    std::string complaints() const;
};

// kill -9 at a random moment under load; sometimes the next start is killed too, before it serves.
CampaignReport run_kills(const CampaignOptions& options);

// SIGTERM under load: the exit code must be 0, and every committed change must be answered.
CampaignReport run_terminations(const CampaignOptions& options);

}  // namespace holdfast::testing
