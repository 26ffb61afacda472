// Arguments and results of the store's calls for nodes and claims, which write outside rounds and
// never touch an instance's row.
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
    std::optional<Moment> due_at;     // the earliest timer
    std::size_t others = 0;           // other nodes that are alive
    bool followed = false;            // one of them wants to hear of every change
    std::uint64_t newest_change = 0;  // the last position of the stream that was given
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
    bool changes = false;            // the stream of changes has more
    bool follows = false;            // the sender wants to hear of every change

    bool empty() const {
        return !signals && !due && awaken.empty() && !everyone && !changes && !follows;
    }
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
    std::optional<std::string> tenant = {};  // absent: of any
};

struct JobPage {
    std::vector<SignalRow> items;
    std::optional<SignalId> next;
};

// Jobs that are not done, oldest id first.
struct JobQuery {
    using Answer = JobPage;

    std::optional<std::string> type;
    std::optional<std::string> definition;  // of their instances
    std::optional<InstanceId> instance;
    std::size_t limit = 50;
    std::optional<SignalId> after;
    PageBudget budget = {};
    std::optional<std::string> tenant = {};  // absent: of any
};

// An open instance that cannot go on, and why.
struct Incident {
    InstanceId instance;
    DefinitionRef definition;
    std::string business_key;         // empty: none
    std::optional<std::string> code;  // of its last error
    Moment updated_at;

    bool operator==(const Incident&) const = default;
};

struct IncidentPage {
    std::vector<Incident> items;
    std::optional<InstanceId> next;
};

// Oldest id first.
struct IncidentQuery {
    using Answer = IncidentPage;

    std::optional<std::string> code;
    std::optional<std::string> definition;
    std::optional<InstanceId> instance;
    std::size_t limit = 50;
    std::optional<InstanceId> after;
    PageBudget budget = {};
    std::optional<std::string> tenant = {};  // absent: of any
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
