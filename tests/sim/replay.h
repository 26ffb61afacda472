// Replays the rounds that `holdfast serve --trace-rounds FILE` wrote, on a memory store with the
// clock of each round, and compares the outcomes.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

#include "base/result.h"

namespace holdfast::sim {

struct ReplayReport {
    std::size_t rounds = 0;
    std::size_t passed = 0;  // operations
    std::size_t failed = 0;
    std::vector<std::string> differences;  // the first ones
};

// The trace begins with an empty store and comes from one writer, as on SQLite. invalid_argument:
// not a trace; the message names the line.
Result<ReplayReport> replay(std::istream& trace);

}  // namespace holdfast::sim
