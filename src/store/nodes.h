// Arguments and results of the store's calls for nodes, claims and retention: the only writes
// outside rounds. They never touch an instance's row, except to delete it after its end.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/signal.h"
#include "store/page_budget.h"

namespace holdfast {

// Who may hold leases: a life of a node, or a worker outside that renews its lease itself.
enum class HolderKind { node, worker };

std::string_view name_of(HolderKind kind);
std::optional<HolderKind> parse_holder_kind(std::string_view text);

struct NodeRow {
    NodeId id;
    std::string name;
    Moment started_at;
    Moment beat_at;
    Moment lease_until;  // past: others take over its leases
    HolderKind kind = HolderKind::node;
    std::vector<std::string> programs = {};  // definition keys that it runs

    bool operator==(const NodeRow&) const = default;
};

// A holder of leases that begins.
struct Joining {
    NodeId id;
    std::string name;
    std::chrono::microseconds lease{0};
    std::vector<std::string> programs = {};
    HolderKind kind = HolderKind::node;
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

// Whether a claim takes signals that need no program besides those of its programs.
enum class AnyonesSignals { taken, left };

struct Claim {
    NodeId node;
    std::vector<std::string> programs;
    std::size_t limit = 64;
    AnyonesSignals anyones = AnyonesSignals::taken;
};

// Due scheduled signals that one claim moves into the queue.
inline constexpr std::size_t most_moved = 1'000;

struct Claimed {
    std::vector<SignalRow> signals;  // leased to the node, attempt counted
    // Leased too, but rows with an unknown value: nobody handles them, and what is behind them
    // in their instances waits.
    std::vector<SignalId> corrupt = {};
    Moment now;
    std::optional<Moment> next;  // as Beat::claimable_at, for the remaining signals
};

// A hint from one node to the others, sent after the commits that it describes. A lost one only
// costs time (I32).
struct Announcement {
    bool signals = false;            // some may be claimed
    std::optional<Moment> due;       // a timer was set that is due then
    std::vector<InstanceId> awaken;  // instances that clients may be polling for
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

struct DeadLetterPage {
    std::vector<DeadLetter> items;
    std::optional<SignalId> next;
};

// Oldest id first.
struct DeadLetterQuery {
    using Answer = DeadLetterPage;

    std::optional<DeadLetterReason> reason;
    std::optional<InstanceId> instance;
    std::size_t limit = 50;
    std::optional<SignalId> after;
    PageBudget budget = {};
};

// What retention may delete (004.9). Windows count from the end of an instance.
struct Prune {
    std::chrono::microseconds keep_for{0};  // unless the definition has its own
    std::map<std::string, std::chrono::microseconds> keep_for_by_definition;
    // Rows that belong to no instance (any more): rounds, keys, fates, ended node lives.
    std::chrono::microseconds keep_records = std::chrono::hours(24);
    // What a cleared instance left: history, conflicts, fates, dead events. Absent: for ever.
    std::optional<std::chrono::microseconds> keep_cleared = {};
    std::optional<std::chrono::microseconds> keep_conflicts = {};  // absent: as their instance
    std::size_t limit = 500;  // instances in one transaction; ten times as many of other rows
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
    bool more = false;          // a limit on other rows was reached
};

// The newest rows that the history of an open instance always keeps (002.10).
inline constexpr std::uint64_t least_history = 100;

// Trims the histories of open instances, a page of them at a time, oldest instance first.
struct TrimHistories {
    std::chrono::microseconds keep_for{0};
    std::size_t instances = 200;  // looked at
    std::size_t rows = 100;       // of one instance, in one transaction
    std::string after = {};       // where the last page ended; empty: begin with the oldest
    bool dry_run = false;         // counts, deletes nothing; needs no lock
    HostLock lock = {};           // not held: nothing is deleted
};

struct TrimmedHistories {
    bool lock_held = true;
    std::size_t rows = 0;
    bool more = false;  // some had more rows to trim
    std::string next;   // empty: that was the last page
};

struct StalePage {
    std::vector<InstanceId> candidates;
    std::string next;  // empty: that was the last page
};

// Looks for open instances that may be stale (004.9), oldest first. What it finds is a candidate:
// unchanged, without queued event, open task or anyone who waits for it.
struct FindStale {
    using Answer = StalePage;

    Moment unchanged_since;
    std::size_t look_at = 2'000;  // open instances in one page
    std::string after = {};       // where the last page ended; empty: begin with the oldest
};

struct Stranded {
    SignalId signal;
    InstanceId instance;
    std::string program;
    Moment visible_at;
    bool incident = false;  // its instance has one already

    bool operator==(const Stranded&) const = default;
};

struct StrandedPage {
    std::vector<Stranded> items;
    std::optional<SignalId> next;  // absent: that was the last page
    Moment now;
};

// Looks for continuations whose program no live holder has, a page of the queue at a time.
struct FindStranded {
    using Answer = StrandedPage;

    std::size_t look_at = 1'000;  // continuations in one page
    std::optional<SignalId> after = {};
};

}  // namespace holdfast
