// The only door to durable state. Every implementation passes the same contract suite.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "store/query.h"
#include "store/read_set.h"
#include "store/view.h"

namespace holdfast {

struct Round {
    RoundId id;
    ReadSet reads;
};

// Folds the round's operations over the view. May be called again with a fresh view (a row moved
// between load and write): it starts over and, for the same view, gives the same answer.
using Decide = std::function<void(View&)>;

// The round is on stable storage.
struct Committed {
    std::size_t rows = 0;  // written, all tables
};

// The store was lost while it committed: neither success nor failure. Ask fate() before answering
// anyone.
struct Unknown {};

enum class Fate { committed, never };

// Commits rounds. Belongs to one thread at a time; a store may give several.
class Writer {
public:
    virtual ~Writer() = default;

    // Locks and loads what the round reads, lets `decide` change the view, and commits the
    // difference as one transaction: all of it is durable or none. A round that changes nothing
    // writes nothing. refused: a constraint, a size or an encoding; names no culprit, nothing is
    // written. unavailable: the store cannot be reached, nothing is written.
    virtual Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                            const Decide& decide) = 0;

    // Learns what became of a round, and makes sure that it stays so: a round that has not
    // committed by now never will.
    virtual Result<Fate> fate(const RoundId& round) = 0;
};

class Store {
public:
    virtual ~Store() = default;

    // Writers that may work side by side; SQLite has one.
    virtual std::size_t writer_count() const = 0;
    virtual Result<std::unique_ptr<Writer>> open_writer() = 0;

    // The read side: safe from any thread, committed data only.
    virtual Result<std::optional<FoundInstance>> find(const InstanceId& id, Depth depth) = 0;
    virtual Result<InstancePage> search(const InstanceQuery& query) = 0;
    // Rows from version `from` on, at most `limit`.
    virtual Result<HistoryPage> history(const InstanceId& id, Version from, std::size_t limit) = 0;
    virtual Result<ConflictPage> conflicts(const ConflictQuery& query) = 0;
    virtual Result<std::vector<Checkpoint>> checkpoints(const InstanceId& id) = 0;
    // Version 0: the newest. Absent: no such definition.
    virtual Result<std::shared_ptr<const Definition>> definition(const DefinitionRef& ref) = 0;

    // Where an event is, or went. Empty: never accepted, or past its retention.
    virtual Result<KnownEvent> event(const EventId& id) = 0;
    virtual Result<PendingPage> pending_events(const EventQuery& query) = 0;
    virtual Result<DeadPage> dead_events(const EventQuery& query) = 0;
    // Absent: nothing stands at that index of the current run.
    virtual Result<std::optional<JournalEntry>> journal(const InstanceId& id,
                                                        std::uint64_t index) = 0;
    // At most `limit` timers that are due by the store's clock. Claims nothing: firing one twice
    // does no harm.
    virtual Result<DueTimers> due_timers(std::size_t limit) = 0;

    virtual Result<std::vector<IndexState>> indexes() = 0;
    // Builds what definitions declared and is not there yet, without blocking writers. Resumes
    // after a crash.
    virtual Result<void> build_indexes(std::stop_token stop) = 0;

    virtual Result<void> ping() = 0;
};

}  // namespace holdfast
