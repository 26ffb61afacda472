// The raw limit of the edit workload: the product's own schema, indexes, durability and SQL, with
// parameters built in advance; 256 edits per commit on one connection, without the coordinator,
// loads and JSON work.
#pragma once

#include <chrono>

#include "support/world.h"

namespace holdfast::bench {

struct RawLimit {
    double edits_per_second = 0;
    double rows_per_edit = 0;
};

// Writes versions of `instances` to the database, whose store is closed.
RawLimit sqlite_raw_limit(const std::string& path, std::vector<Instance> instances,
                          std::chrono::milliseconds time);
RawLimit postgres_raw_limit(const std::string& url, std::vector<Instance> instances,
                            std::chrono::milliseconds time);

}  // namespace holdfast::bench
