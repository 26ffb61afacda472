// The faults of a simulation. Each seed enables some of them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "sim/random.h"

namespace holdfast::sim {

enum class Fault {
    crash,             // a node dies between two calls of the store
    crash_in_commit,   // a node dies right before or right after its commit
    lost_commit,       // the result of a commit is lost; it is committed now, later or never
    unavailable,       // a call of the store fails, nothing is written
    refused,           // a commit is refused as a whole
    moved,             // a row changed between load and write: the round runs again
    pause,             // a node pauses and keeps its locks
    slow,              // a node takes long for everything
    lost_hint,         // a hint is lost
    repeated_hint,     // a hint comes twice
    late_hint,         // a hint comes late
    skew,              // a node's own clock is wrong
    crash_in_handler,  // a node dies while it runs a program
    handler_fails,     // a handler returns an error
};
constexpr std::size_t fault_count = 14;

constexpr std::array<std::string_view, fault_count> fault_names{"crash",
                                                                "crash_in_commit",
                                                                "lost_commit",
                                                                "unavailable",
                                                                "refused",
                                                                "moved",
                                                                "pause",
                                                                "slow",
                                                                "lost_hint",
                                                                "repeated_hint",
                                                                "late_hint",
                                                                "skew",
                                                                "crash_in_handler",
                                                                "handler_fails"};

struct Faults {
    std::uint32_t enabled = 0;  // a bit for each
    std::array<std::uint64_t, fault_count> injected{};

    static Faults some(Random& random) {
        return {.enabled = static_cast<std::uint32_t>(random.next() & random.next()) &
                           ((1u << fault_count) - 1)};
    }
    bool has(Fault fault) const { return enabled >> static_cast<unsigned>(fault) & 1; }
    // Whether it strikes now.
    bool strikes(Fault fault, Random& random, double percent) {
        if (!has(fault) || !random.chance(percent)) return false;
        ++injected[static_cast<std::size_t>(fault)];
        return true;
    }
    std::string to_string() const {
        std::string text;
        for (std::size_t i = 0; i < fault_count; ++i)
            if (enabled >> i & 1) text += (text.empty() ? "" : ",") + std::string(fault_names[i]);
        return text.empty() ? "none" : text;
    }
};

}  // namespace holdfast::sim
