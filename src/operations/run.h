// The fence of whoever runs an instance: its run and the index it is at (001.17).
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <expected>

#include "store/view.h"

namespace holdfast::op {

// Where a runner believes the instance to be.
struct Run {
    std::uint64_t run = 1;
    std::uint64_t index = 0;
    std::optional<Lease> lease;  // of the continuation; absent: somebody outside runs it
    // The input of the step that it takes to stand at the index before: it was submitted and not
    // yet answered. If that step was refused, so is this.
    std::optional<Digest> assumed{};

    bool operator==(const Run&) const = default;
};

// Another run, or another place in this one: the runner's picture is old. Tells the current one.
struct Overtaken {
    Run current;
    Status status = Status::running;
};

Overtaken overtaken(const Instance& instance);

void read_fence(ReadSet& reads, const InstanceId& id, const Run& run);
// Whether whoever says `run` may act for the instance at all: the node that holds the lease of its
// continuation, while that stands (I29), and whose step before is there; nobody's lease where no
// program runs it.
bool is_fenced_off(const View& view, const Instance& instance, const Run& run);
// Whether the instance is just there, awake, and the caller may act for it.
bool is_at(const View& view, const Instance& instance, const Run& run);

boost::json::object to_json(const Run& run);
boost::json::object to_json(const Lease& lease);
boost::json::object to_json(const Overtaken& outcome);

// What an operation that may run short decides.
template <class Op>
using Decision = std::expected<typename Op::Outcome, LoadMore>;

}  // namespace holdfast::op
