#include "measures/interleaved.h"

#include <iostream>

#include "base/log.h"

namespace holdfast::bench {

void add_options(CLI::App& app, RunOptions& options) {
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--compare", options.compare, "print the ratio to the figures of this file");
    app.add_option("--peers", options.peers, "run the harness of other engines in this folder");
    app.add_option("--runs", options.runs, "interleaved runs; the medians are printed");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--callers", options.callers, "concurrent callers")->delimiter(',');
}

int run_interleaved(const std::string& bench, const RunOptions& options,
                    const std::vector<PeerWorkload>& peers,
                    const std::function<void(StoreRun&)>& run) {
    log::set_level(log::Level::warn);
    try {
        Samples samples;
        if (options.compare) samples.compare_with(*options.compare);
        for (std::size_t n = 1; n <= options.runs; ++n)
            for (const std::string& store : options.stores) {
                std::cerr << "run " << n << " of " << options.runs << ", " << store << std::endl;
                StoreRun one(store, samples);
                run(one);
            }
        Report report(bench, options.json);
        samples.report(report);
        if (options.peers)
            compare_with_peers(*options.peers, peers, options.stores, samples, report);
    } catch (const std::exception& error) {
        std::cerr << "bench " << bench << ": " << error.what() << std::endl;
        return 1;
    }
    return 0;
}

}  // namespace holdfast::bench
