// One run of a simulated fleet: a seed decides everything. A safety phase with faults, then the
// faults stop, everything recovers, and every workflow must end.
#pragma once

#include "sim/clients.h"
#include "sim/judge.h"

namespace holdfast::sim {

struct RunOptions {
    std::uint64_t seed = 1;
    std::size_t operations = 500;
};

struct RunReport {
    std::string setting;  // nodes, shards, faults
    std::vector<std::string> violations;
    std::map<std::string, std::uint64_t> counters;  // of interesting situations
    Faults faults;
    std::chrono::microseconds simulated{0};
    std::uint64_t operations = 0;
    std::uint64_t commits = 0;
};

RunReport simulate(const RunOptions& options);

// Situations that must occur at least once in a campaign for it to be meaningful.
const std::vector<std::string>& sometimes();

}  // namespace holdfast::sim
