// The raw limit of accepting events: the product's own schema, indexes, durability and SQL, one
// connection, no HTTP, no coordinator and nothing read.
#pragma once

#include "support/world.h"

namespace holdfast::bench {

// Queued events a second.
struct RawLimit {
    double one_a_commit = 0;
    double many_a_commit = 0;
};

constexpr std::size_t many = 64;

// Writes events for a target that is not there, for that time each. The store must have been opened
// once and closed.
RawLimit raw_limit(const testing::StorePlace& place, std::chrono::milliseconds time);

}  // namespace holdfast::bench
