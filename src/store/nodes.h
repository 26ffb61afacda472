// Arguments and results of the store's calls for nodes, claims and retention: the only writes
// outside rounds. They never touch an instance's row, except to delete it after its end.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/signal.h"

namespace holdfast {

struct NodeRow {
    NodeId id;
    std::string name;
    Moment started_at;
    Moment beat_at;
    Moment lease_until;  // past: other nodes take over its leases

    bool operator==(const NodeRow&) const = default;
};

// The result of a heartbeat.
struct Beat {
    bool alive = true;  // false: the lease expired; this life is over
    Moment now;
    // When this node may find a signal to claim: queued, scheduled, or leased to another node whose
    // lease expires then. Absent: there is none.
    std::optional<Moment> claimable_at;
    std::optional<Moment> due_at;  // the earliest timer
    std::size_t others = 0;        // other nodes that are alive
};

// Whether the attempt of a returned lease counts. Only one that was never begun does not.
enum class GiveBack { counts, was_not_begun };

struct Claim {
    NodeId node;
    std::vector<std::string> programs;  // besides signals that need no program
    std::size_t limit = 64;
};

// Due scheduled signals that one claim moves into the queue.
inline constexpr std::size_t most_moved = 1'000;

struct Claimed {
    std::vector<SignalRow> signals;  // leased to the node, attempt counted
    Moment now;
    std::optional<Moment> next;  // as Beat::claimable_at, for the remaining signals
};

// A hint from one node to the others, sent after the commits that it describes. A lost one only
// costs time (I32).
struct Announcement {
    bool signals = false;            // some may be claimed
    std::optional<Moment> due;       // a timer was set that is due then
    std::vector<InstanceId> awaken;  // instances that outside runners may be polling for
    bool everyone = false;           // too many to name: all of them

    bool empty() const { return !signals && !due && awaken.empty() && !everyone; }
};

// The right to do a job that only one node at a time should do.
struct HostLock {
    std::string name;
    std::string owner;       // node name
    Moment until;            // by the store's clock
    std::uint64_t term = 0;  // increases with every new owner; an older one is void (I31)

    bool operator==(const HostLock&) const = default;
};

struct SignalQuery {
    std::optional<DeadLetterReason> reason;
    std::optional<InstanceId> instance;
    std::size_t limit = 50;
    std::optional<SignalId> after;
};

// Oldest id first.
struct DeadLetterPage {
    std::vector<DeadLetter> items;
    std::optional<SignalId> next;
};

// What retention may delete (004.9). Windows count from the end of an instance.
struct Prune {
    std::chrono::microseconds keep_for{0};  // unless the definition has its own
    std::map<std::string, std::chrono::microseconds> keep_for_by_definition;
    std::size_t limit = 500;  // instances in one transaction
    bool dry_run = false;     // counts, deletes nothing; needs no lock
    std::size_t skip = 0;     // in a dry run: instances that earlier batches would have deleted
    HostLock lock;            // not held: nothing is deleted
};

struct Pruned {
    bool lock_held = true;
    Moment now;
    std::size_t instances = 0;  // deleted; in a dry run: would be
    std::size_t rows = 0;       // of all tables
    std::size_t eligible = 0;   // still to be deleted
};

}  // namespace holdfast
