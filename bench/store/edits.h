// The edit workload: states of about 300 bytes on 256 instances, edited by writers in closed loops.
#pragma once

#include <chrono>
#include <map>

#include "round/coordinator.h"
#include "support/world.h"

namespace holdfast::bench {

constexpr std::size_t instance_count = 256;

// About 300 bytes of canonical JSON that differ with `n`; the indexed paths stay the same.
Document edited_state(std::size_t instance, std::uint64_t n);

// Starts the instances that all edit workloads share.
std::vector<Instance> start_instances(testing::World& world);

struct EditRates {
    double edits_per_second = 0;
    double operations_per_commit = 0;
    double p50_ms = 0;
    double p99_ms = 0;
    double cpu_us = 0;  // of an edit: this process and, on PostgreSQL, the database server
    // The same by thread of this process; "driver" sends the edits, "database" is the server.
    std::map<std::string, double> thread_us;
};

// Keeps `writers` edits in flight, each on a different instance, for about `time`.
EditRates run_edits(testing::World& world, std::vector<Instance>& instances, std::size_t writers,
                    std::chrono::milliseconds time);

}  // namespace holdfast::bench
