#include <random>

#include "base/threads/pause.h"
#include "faults/faults.h"
#include "support/server_process.h"
#include "support/small_disk.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// Whether the server answers writes with 503.
bool is_refused(RelayLoad& load, std::chrono::seconds at_most) {
    const std::size_t before = load.refusals();
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    while (load.refusals() < before + 10 && std::chrono::steady_clock::now() < deadline)
        pause_for(10ms);
    return load.refusals() >= before + 10;
}

}  // namespace

FaultReport fill_disk(const FaultOptions& options) {
    FaultReport report{.name = "a full disk, SQLite", .recovery = "acknowledged again after"};
    std::mt19937_64 random(options.seed);
    const SmallDisk disk(64 * 1024 * 1024);
    StorePlace place("sqlite", disk.path());
    ServerProcess server(place.url());
    RelayLoad load({.seed = options.seed, .most_relays = 5'000}, {server.url()});
    for (Rounds rounds(options, report); rounds.next();) {
        if (!load.wait_for(20 + random() % 60, 30s))
            report.wrong.push_back("the server acknowledges too few requests");
        disk.fill();
        if (!is_refused(load, 20s)) report.wrong.push_back("writes were not refused");
        disk.free();
        wait_for_recovery(load, 10s, report);
    }
    report.more = std::to_string(load.refusals()) + " responses 503";
    judge(load, server.url(), report);
    return report;
}

}  // namespace holdfast::testing
