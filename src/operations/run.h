// The fence against stale runners of an instance: its run and its index (001.17).
#pragma once

#include <cstdint>
#include <string_view>

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

    static void describe(auto& place, auto& with) {
        with("run", place.run);
        with("index", place.index);
        with("lease", place.lease);
        with("assumed", place.assumed);
    }
};

// The runner is at another run or index than the instance. Carries the current ones.
struct Overtaken {
    static constexpr std::string_view name = "overtaken";

    Run current;
    Status status = Status::running;

    static void describe(auto& outcome, auto& with) {
        with("run", outcome.current.run);
        with("index", outcome.current.index);
        with("status", outcome.status);
    }
};

Overtaken overtaken(const Instance& instance);

void read_fence(ReadSet& reads, const InstanceId& id, const Run& run);
// Whether the caller may not act for the instance. If a node runs it, that requires the valid lease
// of its continuation (I29) and the assumed previous step; an outside runner has no lease; nobody
// acts for one whose program moves within the rounds.
bool is_fenced_off(const View& view, const Instance& instance, const Run& run);
// Whether the instance is at this run and index, does not wait, and the caller may act for it.
bool is_at(const View& view, const Instance& instance, const Run& run);

}  // namespace holdfast::op
