// Slows guessing down: an address with many wrong credentials has to wait before it may try again.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>

#include "base/time/clock.h"

namespace holdfast::http {

// Safe from any thread. Bounded: the address that waits least makes room.
class FailedSignIns {
public:
    struct Limits {
        int at_once = 20;              // of one address
        std::chrono::seconds each{6};  // after that, one more in this time
        std::size_t addresses = 1'024;
    };

    // `told` gets the address of each failure, from any thread; absent: nobody is told.
    explicit FailedSignIns(const Clock& clock, std::function<void(const std::string&)> told = {})
        : FailedSignIns(clock, std::move(told), Limits{}) {}
    FailedSignIns(const Clock& clock, std::function<void(const std::string&)> told, Limits limits)
        : clock_(clock), told_(std::move(told)), limits_(limits) {}

    void add(const std::string& address);
    // How long the address must wait; zero: not at all.
    std::chrono::seconds wait(const std::string& address) const;
    // Of the addresses that are remembered.
    std::size_t count() const;

private:
    // When all its failures are forgotten: each moves it by `each`.
    using Forgotten = std::unordered_map<std::string, Moment>;

    // A network of IPv6 has more addresses than can be counted: the first half names it.
    static std::string place_of(const std::string& address);
    void make_room(Moment now);

    const Clock& clock_;
    const std::function<void(const std::string&)> told_;
    const Limits limits_;
    mutable std::mutex mutex_;
    Forgotten forgotten_at_;
    std::atomic<bool> any_ = false;
};

}  // namespace holdfast::http
