// Other engines, measured by a harness outside of this repository in the same run.
#pragma once

#include <string>

#include "measures/samples.h"

namespace holdfast::bench {

// A workload of the harness beside one of this bench.
struct PeerWorkload {
    std::string theirs;
    std::string member;  // their rate
    std::string ours;    // how the name of the workload begins
    std::string metric;
};

// Runs `run-all.sh` in that folder, which writes one JSON object per line to results.jsonl in
// PEERS_TMP, and reports how many times faster Holdfast is, for each of its stores. The environment
// of the harness (PEERS_ONLY, PEERS_SEC, ...) is passed on.
void compare_with_peers(const std::string& folder, const std::vector<PeerWorkload>& workloads,
                        const std::vector<std::string>& stores, const Samples& samples,
                        Report& report);

}  // namespace holdfast::bench
