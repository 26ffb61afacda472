// Generated scripts of related operations, run on any store with any grouping into rounds.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "operations/operation.h"
#include "support/store_dump.h"

namespace holdfast::testing {

// A random choice of the next operation; its details depend on the state at that point.
struct Command {
    unsigned kind = 0;  // 0: nothing
    std::array<std::uint32_t, 6> choices{};
};
constexpr unsigned command_kinds = 120;
std::ostream& operator<<(std::ostream& out, const Command& command);

// Operations at the same time: they may be grouped into rounds in any way.
struct Segment {
    Moment now;
    std::vector<Operation> operations;
    bool claims = false;  // true: before them, the node claims signals
};
using Script = std::vector<Segment>;

struct Played {
    std::vector<std::string> outcomes;  // in order of submission, canonical JSON
    std::vector<std::size_t> decided;   // positions in the script, in order of decision
    std::size_t rounds = 0;
    Dump dump;
};

// Whether an operation that needs to load more delays all others, or only those of its instance.
enum class Ordering { strict, natural };

// Runs the script on a new store of that kind. `sizes` are the numbers of operations per round,
// repeated from the beginning at their end.
Played play(const std::string& kind, const Script& script, const std::vector<std::size_t>& sizes,
            Ordering ordering = Ordering::strict);

// Turns commands into operations with fixed ids, each based on the state after the earlier ones.
Script make_script(const std::vector<Command>& commands);

// The same operations in another order; the segments keep their sizes.
Script reordered(const Script& script, const std::vector<std::size_t>& order);

}  // namespace holdfast::testing
