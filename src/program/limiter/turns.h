// When a limiter may give its next turns. Pure: from what it remembers, and the limits.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "model/instance.h"
#include "model/limits.h"

namespace holdfast::limiter {

// The state of a limiter, which its program alone writes.
struct Memory {
    std::string definition;  // whose workflows get the turns
    std::string key;         // by which they are counted; empty: all together
    bool queued = false;     // somebody may wait for a turn
    Moment next;             // the rate gives no turn before, apart from a burst
    std::uint64_t given = 0;
};

Memory read_memory(const Instance& limiter);
Document to_document(const Memory& memory);

// Those who have a turn: the limiter waits for their end.
std::uint32_t holders_of(const Instance& limiter);

struct Free {
    std::uint32_t turns = 0;
    std::optional<Moment> more_at;  // when there will be more by time alone; absent: no time says
};
// At most `most`; without limits as many.
Free free_turns(const Instance& limiter, const std::optional<Limits>& limits, Moment now,
                std::uint32_t most);
// What `next` is after so many turns. A queue makes up for late turns, up to a second of them.
Moment next_after(const Memory& memory, const std::optional<Limits>& limits, Moment now,
                  std::uint32_t turns);

}  // namespace holdfast::limiter
