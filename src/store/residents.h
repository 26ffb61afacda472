// The instances that this process committed last, with what it knows about them: a round that finds
// one here does not load it. True only while nobody else changes their rows, so the owner forgets
// what it doubts (I33). Belongs to one thread at a time.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/instance.h"
#include "model/journal.h"
#include "store/changes.h"
#include "store/read_set.h"
#include "store/signals.h"

namespace holdfast {

struct Resident {
    Instance instance;
    Depth depth = Depth::row;    // how much of it is known: of a process all, of a flow the row
    std::int64_t row = 0;        // the key of its row, in a store that numbers rows
    std::vector<SignalId> jobs;  // those of its jobs that are known
    // Absent: not known. Whether its lease is valid depends on the time, and is not kept.
    std::optional<KnownSignal> continuation;
    std::optional<JournalEntry> newest;  // at index - 1; absent: not known
    // What it certainly does not have. False: not known.
    bool no_inbox = false;    // queued events
    bool no_waiters = false;  // waits for its end
    bool no_tasks = false;
    // It may well have some of them.
    bool may_have_some = false;

    // Whether the journal entry at an index is known; past the end of the journal: that it has
    // none.
    bool knows_step(std::uint64_t index) const {
        return index >= instance.index || (newest && newest->step.index == index);
    }
};

class Residents {
public:
    explicit Residents(std::size_t capacity) : capacity_(capacity) {}

    // Null: not known.
    const Resident* find(const InstanceId& id) const {
        const auto found = residents_.find(id);
        return found == residents_.end() ? nullptr : &found->second;
    }
    // A job of a resident, which its commit leased to this node. Null: not known.
    const SignalRow* find_job(const SignalId& id) const {
        const auto found = jobs_.find(id);
        return found == jobs_.end() ? nullptr : &found->second;
    }
    // A round is durable that read this and left these changes. `row_of` gives the key of a changed
    // row.
    template <class RowOf>
    void keep(const ReadSet& reads, const Changes& changes, RowOf row_of) {
        for (const InstanceChange* change : changes.instances)
            if (Resident* kept = keep(reads, *change)) kept->row = row_of(kept->instance.id);
        note(changes);
    }
    void forget(const InstanceId& id);
    // The same, because something about it was not as it was kept or assumed.
    void doubt(const InstanceId& id);
    // The continuation as the round loaded it (null: none), unless the round wrote it.
    void learn(const InstanceId& id, const KnownSignal* loaded);
    void forget_all();

private:
    // Null: not kept.
    Resident* keep(const ReadSet& reads, const InstanceChange& change);
    // What the changes say about those that are kept.
    void note(const Changes& changes);
    void note_journal(const Changes& changes);
    void note_jobs(const SignalChanges& signals);
    Resident* edit(const InstanceId& id) { return const_cast<Resident*>(find(id)); }

    const std::size_t capacity_;
    std::unordered_map<InstanceId, Resident> residents_;
    std::unordered_map<SignalId, SignalRow> jobs_;
    std::unordered_set<InstanceId> doubted_;
    std::deque<InstanceId> order_;  // of insertion; the oldest is evicted first
};

}  // namespace holdfast
