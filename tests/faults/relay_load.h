// Drivers that run workflows from start to end over HTTP, through waits, steps and edits, while
// servers stop and restart; they keep a ledger of the answers.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "faults/ledger.h"

namespace holdfast::testing {

// Who runs the stages of a relay: the drivers, or a program of the nodes (see node.cpp); then the
// drivers only start it and send its events.
enum class Runner { drivers, nodes };

struct RelayOptions {
    std::string name = "relay";  // prefix of the business keys; unique per load
    Runner runner = Runner::drivers;
    std::size_t drivers = 6;
    int stages = 2;  // per relay: a wait for an event or a timer, a step, sometimes an edit
    std::uint64_t seed = 1;
    std::size_t most_relays = 200'000;
    std::chrono::milliseconds timer{20};           // shortest wait for a timer
    std::chrono::milliseconds pause{3};            // before each request
    std::chrono::milliseconds answer_time{5'000};  // timeout of a request
};

// The drivers run from construction on. A request that was not answered is repeated, on the next
// node if there are several, until a node answers it.
class RelayLoad {
public:
    // `urls` has one entry per node; an empty one is down.
    RelayLoad(const RelayOptions& options, std::vector<std::string> urls);
    ~RelayLoad();
    RelayLoad(const RelayLoad&) = delete;
    RelayLoad& operator=(const RelayLoad&) = delete;

    static constexpr const char* definition = "outside";
    static constexpr const char* definition_of_nodes = "relay";

    // The new address of a restarted node; empty: it is down.
    void move(std::size_t node, const std::string& url);
    // Waits until that many more writes are acknowledged. False: not in time.
    bool wait_for(std::size_t more, std::chrono::milliseconds at_most);
    // Responses with status 503 so far.
    std::size_t refusals() const { return refusals_; }
    // Begins no new relay and waits for those in progress; a relay that has not ended in time is
    // stuck.
    Ledger finish(std::chrono::seconds at_most);

private:
    class Driver;

    void run(std::size_t number);
    std::optional<std::size_t> begin_relay(std::size_t driver);
    std::string ledger_key(std::size_t relay);
    std::string url_of(std::size_t node);
    void note(Call call);
    void note_unexpected(std::string what);

    const RelayOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<std::string> urls_;
    Ledger ledger_;
    std::size_t acknowledged_ = 0;
    std::size_t at_work_ = 0;
    bool ending_ = false;
    std::atomic<bool> abandoned_ = false;
    std::atomic<std::size_t> refusals_ = 0;

    std::vector<std::jthread> drivers_;
};

}  // namespace holdfast::testing
