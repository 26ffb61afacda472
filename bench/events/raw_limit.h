// The raw limit of accepting events: the product's own schema, indexes, durability and SQL on one
// connection, without HTTP, the coordinator and reads.
#pragma once

#include "support/world.h"

namespace holdfast::bench {

// Queued events per second.
struct RawLimit {
    double one_a_commit = 0;
    double many_a_commit = 0;
};

constexpr std::size_t many = 64;

// Writes events to a target that does not exist, for `time` per figure. The store must have been
// opened once and closed.
RawLimit raw_limit(const testing::StorePlace& place, std::chrono::milliseconds time);

}  // namespace holdfast::bench
