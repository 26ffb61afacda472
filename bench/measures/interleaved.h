// Several runs of a bench, the stores in turn, and what is printed about them.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "measures/peers.h"
#include "measures/store_run.h"

namespace holdfast::bench {

struct RunOptions {
    std::optional<std::string> json;
    std::optional<std::string> peers;
    std::optional<std::string> compare;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::vector<std::size_t> callers = {1, 64, 256};
    std::size_t runs = 3;
};
void add_options(CLI::App& app, RunOptions& options);

// Calls `run` for each store in turn, `options.runs` times, prints the medians, and compares them
// with the peers if asked to. Returns the exit code of the program.
int run_interleaved(const std::string& bench, const RunOptions& options,
                    const std::vector<PeerWorkload>& peers,
                    const std::function<void(StoreRun&)>& run);

}  // namespace holdfast::bench
