// The interface to durable state. Every implementation passes the same contract suite.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "store/nodes.h"
#include "store/query.h"
#include "store/read_set.h"
#include "store/view.h"

namespace holdfast {

struct Round {
    RoundId id;
    ReadSet reads;
};

// Folds the round's operations over the view. May be called again with a fresh view (a row changed
// between load and write): it starts over, and is deterministic for the same view.
using Decide = std::function<void(View&)>;

// The round is on stable storage.
struct Committed {
    std::size_t rows = 0;  // written, all tables
};

// The connection was lost during the commit: neither success nor failure. Call commit_status()
// before answering.
struct Unknown {};

enum class CommitStatus { committed, never };

// Commits rounds. Belongs to one thread at a time; a store may give several.
class Writer {
public:
    virtual ~Writer() = default;

    // Locks and loads what the round reads, lets `decide` change the view, and commits the
    // difference as one transaction: all of it is durable or none. A round that changes nothing
    // writes nothing. refused: a constraint, a size or an encoding, without the operation that
    // caused it; nothing is written. unavailable: the store cannot be reached; nothing is written.
    virtual Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                            const Decide& decide) = 0;

    // Whether a round was committed. Makes the result final: a round that is not committed by now
    // never will be.
    virtual Result<CommitStatus> commit_status(const RoundId& round) = 0;
};

class Store {
public:
    virtual ~Store() = default;

    // Whether other nodes work on the same data.
    virtual bool is_shared() const { return false; }
    // Writers that may work in parallel; SQLite has one.
    virtual std::size_t writer_count() const = 0;
    virtual Result<std::unique_ptr<Writer>> open_writer() = 0;

    // The read side: safe from any thread, committed data only.
    virtual Result<std::optional<FoundInstance>> find(const InstanceId& id, Depth depth) = 0;
    // The rows of those that exist, in any order. One query on a remote store.
    virtual Result<std::vector<Instance>> find_rows(std::span<const InstanceId> ids) {
        std::vector<Instance> rows;
        for (const InstanceId& id : ids) {
            HF_TRY(auto found, find(id, Depth::row));
            if (found) rows.push_back(std::move(found->instance));
        }
        return rows;
    }
    virtual Result<InstancePage> search(const InstanceQuery& query) = 0;
    // Rows from version `from` on, at most `limit`.
    virtual Result<HistoryPage> history(const InstanceId& id, Version from, std::size_t limit) = 0;
    virtual Result<ConflictPage> conflicts(const ConflictQuery& query) = 0;
    virtual Result<std::vector<Checkpoint>> checkpoints(const InstanceId& id) = 0;
    // Version 0: the newest. Absent: no such definition.
    virtual Result<std::shared_ptr<const Definition>> definition(const DefinitionRef& ref) = 0;

    // Where an event is, or its fate. Empty: never accepted, or deleted by retention.
    virtual Result<KnownEvent> event(const EventId& id) = 0;
    virtual Result<PendingPage> pending_events(const EventQuery& query) = 0;
    virtual Result<DeadPage> dead_events(const EventQuery& query) = 0;
    // Absent: nothing is recorded at that index of the current run.
    virtual Result<std::optional<JournalEntry>> journal(const InstanceId& id,
                                                        std::uint64_t index) = 0;
    // At most `limit` timers that are due by the store's clock. Claims nothing: firing one twice
    // does no harm.
    virtual Result<DueTimers> due_timers(std::size_t limit) = 0;

    // Absent: no such task.
    virtual Result<std::optional<HumanTask>> task(const TaskId& id) = 0;
    virtual Result<TaskPage> tasks(const TaskQuery& query) = 0;
    // Everything that happened to it, in order; empty: no such task.
    virtual Result<std::vector<TaskEvent>> task_events(const TaskId& id) = 0;

    // Journals of current runs, each in order: one list per part.
    virtual Result<std::vector<std::vector<JournalEntry>>> journals(
        std::span<const JournalPart> parts) = 0;
    Result<std::vector<JournalEntry>> journal_from(const InstanceId& id, std::uint64_t from,
                                                   std::size_t limit) {
        const JournalPart part{id, from, limit};
        HF_TRY(auto all, journals({&part, 1}));
        return std::move(all.front());
    }

    // Begins a life of a node; its lease counts by the store's clock (I28). On an embedded store
    // this ends all earlier lives with their host locks, and the lease never expires.
    virtual Result<void> join(const NodeId& id, const std::string& name,
                              std::chrono::microseconds lease) = 0;
    // Renews the lease unless it expired. `programs`: those that the node can run.
    virtual Result<Beat> beat(const NodeId& id, std::chrono::microseconds lease,
                              const std::vector<std::string>& programs) = 0;
    // Ends a life: its leases are free at once.
    virtual Result<void> leave(const NodeId& id) = 0;
    virtual Result<std::vector<NodeRow>> nodes() = 0;
    // Leases signals that are free, or whose node is dead, to a node, and counts the attempt before
    // it begins (I42). Oldest first; only the oldest of each instance, except for continuations.
    // Moves due scheduled signals into the queue, at most `most_moved`.
    virtual Result<Claimed> claim(const Claim& claim) = 0;
    // Returns a lease; the signal cannot be claimed before `pause` is over. A lease of an older
    // epoch changes nothing.
    virtual Result<void> give_back(const SignalId& id, const Lease& lease,
                                   std::chrono::microseconds pause,
                                   GiveBack attempt = GiveBack::counts) = 0;
    virtual Result<std::optional<DeadLetter>> dead_letter(const SignalId& id) = 0;
    virtual Result<DeadLetterPage> dead_letters(const SignalQuery& query) = 0;

    // Sends a hint to other nodes. It may be lost; on an embedded store it does nothing.
    virtual Result<void> announce(const Announcement& announcement) = 0;
    // Passes the announcements of other nodes to `received` until `stop`, or until the connection
    // is lost. Calls `listening` once no announcement can be missed any more: the caller looks at
    // everything then. An embedded store returns at once.
    virtual Result<void> listen(const std::function<void()>& listening,
                                const std::function<void(const Announcement&)>& received,
                                std::stop_token stop) = 0;

    // Takes or renews a lock that is free, expired, or held by `owner`. Absent: another has it.
    virtual Result<std::optional<HostLock>> lock_host(const std::string& name,
                                                      const std::string& owner,
                                                      std::chrono::microseconds time) = 0;
    virtual Result<std::vector<HostLock>> host_locks() = 0;
    // A moment stored by a job; compared with the clock before the job deletes (I28).
    virtual Result<std::optional<Moment>> mark(const std::string& name) = 0;
    virtual Result<void> set_mark(const std::string& name, Moment at) = 0;
    virtual Result<Moment> now() = 0;
    // Deletes one bounded batch of what retention may delete, by one statement with the whole
    // predicate (I44).
    virtual Result<Pruned> prune(const Prune& prune) = 0;
    // The retention of each definition, by its newest version, where it sets one.
    virtual Result<std::map<std::string, Retention>> retentions() = 0;

    virtual Result<std::vector<IndexState>> indexes() = 0;
    // Builds the declared indexes that do not exist yet, without blocking writers. Resumes after a
    // crash.
    virtual Result<void> build_indexes(std::stop_token stop) = 0;

    virtual Result<void> ping() = 0;
};

}  // namespace holdfast
