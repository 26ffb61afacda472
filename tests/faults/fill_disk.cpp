#include <random>

#include "base/threads/pause.h"
#include "faults/faults.h"
#include "support/server_client.h"
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

// Tried for ten seconds: a change of the load may succeed in between.
bool readiness_becomes(const std::string& url, int status) {
    ServerClient client(url);
    for (int tries = 0; tries < 100; ++tries) {
        if (const auto ready = client.get("/readyz"); ready && ready->status == status) return true;
        pause_for(100ms);
    }
    return false;
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
        if (!readiness_becomes(server.url(), 503))
            report.wrong.push_back("the server is ready although its disk is full");
        disk.free();
        wait_for_recovery(load, 10s, report);
        if (!readiness_becomes(server.url(), 200))
            report.wrong.push_back("the server is not ready although its disk has space");
    }
    report.more = std::to_string(load.refusals()) + " responses 503";
    judge(load, server.url(), report);
    return report;
}

}  // namespace holdfast::testing
