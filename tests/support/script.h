// Scripts of operations that make sense together, and stores to run them on in any grouping.
#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "operations/operation.h"
#include "support/store_dump.h"

namespace holdfast::testing {

// A random choice of what to do next; what it comes to depends on what is there by then.
struct Command {
    unsigned kind = 0;  // 0: nothing
    std::array<std::uint32_t, 6> choices{};
};
constexpr unsigned command_kinds = 96;
std::ostream& operator<<(std::ostream& out, const Command& command);

// Operations at one moment: they may be folded in any way.
struct Segment {
    Moment now;
    std::vector<Operation> operations;
};
using Script = std::vector<Segment>;

struct Played {
    std::vector<std::string> outcomes;  // in order of submission, canonical JSON
    std::vector<std::size_t> decided;   // places of the script, in order of decision
    std::size_t rounds = 0;
    Dump dump;
};

// Whether an operation that wants more holds up all others, or only those of its instance.
enum class Ordering { strict, natural };

// Runs the script on a new store of that kind. `sizes` says how many operations go into one round,
// one after the other, from the beginning again at its end.
Played play(const std::string& kind, const Script& script, const std::vector<std::size_t>& sizes,
            Ordering ordering = Ordering::strict);

// Turns commands into operations with fixed ids, each made from what those before it left behind.
Script make_script(const std::vector<Command>& commands);

// The same operations in another order; each place stays in its segment.
Script reordered(const Script& script, const std::vector<std::size_t>& order);

}  // namespace holdfast::testing
