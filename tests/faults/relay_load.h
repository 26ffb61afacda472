// Drivers that take workflows from start to end through the HTTP interface, over waits, steps and
// edits, while servers come and go, and keep a ledger of what they were told.
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

// Who takes a relay through its stages: the drivers, or a program of the nodes (see node.cpp),
// which the drivers only start and send events to.
enum class Runner { drivers, nodes };

struct RelayOptions {
    std::string name = "relay";  // of its relays, unlike that of another load
    Runner runner = Runner::drivers;
    std::size_t drivers = 6;
    int stages = 2;  // of a relay: a wait for an event or a timer, a step, at times an edit
    std::uint64_t seed = 1;
    std::size_t most_relays = 200'000;
    std::chrono::milliseconds timer{20};           // of the waits for a timer, at least
    std::chrono::milliseconds breath{3};           // before each request
    std::chrono::milliseconds answer_time{5'000};  // then a request counts as unanswered
};

// The drivers run from construction on. A request that was not answered is repeated, at another
// node where there is one, until somebody answers it.
class RelayLoad {
public:
    // `urls` has one entry a node; an empty one is down.
    RelayLoad(const RelayOptions& options, std::vector<std::string> urls);
    ~RelayLoad();
    RelayLoad(const RelayLoad&) = delete;
    RelayLoad& operator=(const RelayLoad&) = delete;

    static constexpr const char* definition = "outside";
    static constexpr const char* definition_of_nodes = "relay";

    // A node that came back listens elsewhere.
    void move(std::size_t node, const std::string& url);
    // Whether that many more requests that write were acknowledged in time.
    bool wait_for(std::size_t more, std::chrono::milliseconds at_most);
    // Answers 503 so far.
    std::size_t refusals() const { return refusals_; }
    // No relay is begun any more, and the ones under way come to their end, unless that takes too
    // long: what is not at its end then is stuck.
    Ledger finish(std::chrono::seconds at_most);

private:
    class Driver;

    void run(std::size_t number);
    std::optional<std::size_t> begin_relay(std::size_t driver);
    std::string ledger_key(std::size_t relay);
    std::string url_of(std::size_t node);
    void note(Call call);
    void note_odd(std::string what);

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
