#include <unistd.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/threads/pause.h"
#include "faults/faults.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

// A wall clock for one process that jumps on demand; other clocks are not changed.
class FalseClock {
public:
    FalseClock() {
        std::string path = fs::temp_directory_path() / "holdfast-clock-XXXXXX";
        const int fd = ::mkstemp(path.data());
        if (fd < 0) throw std::runtime_error("cannot create a temporary file");
        ::close(fd);
        path_ = path;
        jump(0s);
    }
    ~FalseClock() { fs::remove(path_); }
    FalseClock(const FalseClock&) = delete;
    FalseClock& operator=(const FalseClock&) = delete;

    // Sets the offset from the true time. Renames the file, so that the server never reads half.
    void jump(std::chrono::seconds offset) const {
        std::ofstream(path_ + ".new") << offset.count() << '\n';
        fs::rename(path_ + ".new", path_);
    }

    ProcessSetting setting() const {
        ProcessSetting setting{.environment = {"FALSE_CLOCK=" + path_}};
        setting.preload(fs::path(holdfast_binary()).parent_path() / "false_clock.so");
        return setting;
    }

private:
    std::string path_;
};

// Workflows that sleep for the same duration.
class Sleepers {
public:
    Sleepers(ServerClient& client, const std::string& time) : client_(client) {
        for (int i = 0; i < 10; ++i) {
            ids_.push_back(client.must_start({.definition = "outside", .state = bj::object{}}));
            const auto reply = client.post("/api/v1/workflows/" + ids_.back() + "/wait",
                                           R"({"run": 1, "index": 0, "after": ")" + time + "\"}");
            if (!reply || reply->status != 200) throw std::runtime_error("the wait was refused");
        }
    }

    std::size_t size() const { return ids_.size(); }
    std::size_t awake() {
        std::size_t count = 0;
        for (const std::string& id : ids_) {
            const bj::value poll =
                client_.must_get("/api/v1/workflows/" + id + "/wait?index=0&timeout=0s");
            count += poll.at("outcome") == "delivered";
        }
        return count;
    }
    // Waits up to 10 s until that many are awake.
    bool reach(std::size_t wanted) {
        for (int i = 0; i < 100 && awake() != wanted; ++i) pause_for(100ms);
        return awake() == wanted;
    }

private:
    ServerClient& client_;
    std::vector<std::string> ids_;
};

// Returns the status code, once the server's own run is not in the way. Retention that trusted a
// wrong clock would delete all ended workflows.
int run_retention(ServerClient& client, const std::string& query = "") {
    for (int i = 0; i < 100; ++i) {
        const auto reply = client.post("/api/v1/retention/run" + query, "");
        if (!reply) return 0;
        if (reply->problem() != "retention-running") return reply->status;
        pause_for(100ms);
    }
    return 0;
}

// One hour ahead, one hour behind, and back; the last jump of the test is ten years ahead.
constexpr std::chrono::seconds jumps[] = {1h, -1h, 0h};

}  // namespace

FaultReport jump_clock(const FaultOptions& options) {
    FaultReport report{.name = "clock jumps, SQLite", .recovery = "acknowledged again after"};
    const FalseClock clock;
    StorePlace place("sqlite");
    ServerProcess server(place.url(), {"--keep-ended", "30d"}, clock.setting());
    ServerClient client(server.url());
    RelayLoad load({.seed = options.seed}, {server.url()});
    Sleepers half_hour(client, "30m");
    Sleepers three_hours(client, "3h");
    const auto expect = [&](Sleepers& sleepers, std::size_t awake, std::chrono::seconds offset) {
        if (!sleepers.reach(awake))
            report.wrong.push_back(std::to_string(sleepers.awake()) + " awake instead of " +
                                   std::to_string(awake) + ", " + std::to_string(offset.count()) +
                                   " s off");
    };
    for (Rounds rounds(options, report); rounds.next();) {
        const auto jump = jumps[(report.faults - 1) % std::size(jumps)];
        if (!load.wait_for(50, 30s))
            report.wrong.push_back("the server acknowledges too few requests");
        clock.jump(jump);
        wait_for_recovery(load, 10s, report);
        load.wait_for(50, 30s);
        expect(half_hour, half_hour.size(), jump);
        expect(three_hours, 0, jump);
    }
    constexpr std::chrono::seconds ten_years = std::chrono::days(3'650);
    // The server's own run may have read the clock while it was an hour off.
    if (run_retention(client, "?acceptClock=true") != 200)
        report.wrong.push_back("retention does not run");
    clock.jump(ten_years);
    ++report.faults;
    wait_for_recovery(load, 10s, report);
    expect(three_hours, three_hours.size(), ten_years);
    if (run_retention(client) != 409)
        report.wrong.push_back("retention trusts a clock that jumped");
    judge(load, server.url(), report);
    return report;
}

}  // namespace holdfast::testing
