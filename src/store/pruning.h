// Arguments and results of what retention asks of the store. It writes outside rounds, and touches
// the row of an instance only to delete it after its end.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/signal.h"
#include "store/nodes.h"

namespace holdfast {

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

}  // namespace holdfast
