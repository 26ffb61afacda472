// The fence against stale runners of an instance: its run and its index (001.17).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>

#include "store/view.h"

namespace holdfast::op {

// Where a runner believes the instance to be.
struct Run {
    std::uint64_t run = 1;
    std::uint64_t index = 0;
    std::optional<Lease> lease;  // of the continuation; absent: an outside runner
    // Input hash of the step at the previous index, which was submitted but not yet answered. If
    // that step was refused, so is this operation.
    std::optional<Digest> assumed{};

    bool operator==(const Run&) const = default;
};

// The runner is at another run or index than the instance. Carries the current ones.
struct Overtaken {
    Run current;
    Status status = Status::running;
};

Overtaken overtaken(const Instance& instance);

void read_fence(ReadSet& reads, const InstanceId& id, const Run& run);
// Whether the caller may not act for the instance. An instance with a program requires the valid
// lease of its continuation (I29) and the assumed previous step; one without requires no lease.
bool is_fenced_off(const View& view, const Instance& instance, const Run& run);
// Whether the instance is at this run and index, does not wait, and the caller may act for it.
bool is_at(const View& view, const Instance& instance, const Run& run);

boost::json::object to_json(const Run& run);
boost::json::object to_json(const Lease& lease);
boost::json::object to_json(const Overtaken& outcome);

}  // namespace holdfast::op
