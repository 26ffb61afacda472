// Readers of the stream of changes while nodes are killed and restarted: each must have the whole
// history in the end, once and in the order of each workflow (I53).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace holdfast::testing {

struct StreamPlan {
    std::size_t readers = 64;
    std::size_t writers = 4;
    int kills = 100;
    std::uint64_t seed = 1;
    // Without any load after the kills: the statements of this time are counted.
    std::chrono::seconds idle{5};
};

struct StreamReport {
    std::size_t workflows = 0;
    std::size_t records = 0;      // of the history
    std::size_t received = 0;     // by all readers
    std::size_t connections = 0;  // that they made
    std::size_t gaps = 0;
    std::size_t repeats = 0;
    std::size_t differences = 0;  // workflows of a reader that are not as in the history
    std::size_t unfinished = 0;   // readers that never saw the end
    std::string idle_statements;  // without heartbeats; empty: none

    bool is_clean() const {
        return records > 0 && gaps + repeats + differences + unfinished == 0 &&
               idle_statements.empty();
    }
    // One line with all figures.
    std::string figures() const;
};

// On three nodes and one PostgreSQL. Call it on the main thread, see ServerProcess.
StreamReport follow_through_kills(const StreamPlan& plan);

}  // namespace holdfast::testing
