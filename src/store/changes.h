// What a commit writes: the difference between the loaded state and the round's result.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/children_diff.h"
#include "model/conflict.h"
#include "model/history.h"
#include "store/continuation.h"
#include "store/loaded.h"

namespace holdfast {

struct InstanceMarks {
    bool corrupt = false;
    bool misplaced = false;
    bool dirty = false;
    // At some point of the round: its checkpoints, journal, queued events and signals are deleted.
    bool cleared = false;
    bool progressed = false;           // under its lease: the attempts are reset to 1
    std::optional<SignalId> redriven;  // the old id under which its continuation is queued again
};

// One instance of a round, before and after. Absent before: inserted; absent after: cleared.
struct InstanceChange : InstanceMarks {
    std::optional<Instance> before;
    std::optional<Instance> after;
    std::size_t saved = 0;  // the savepoint of the view at which `after` and the marks were logged

    bool document_changed() const;
    // Whether definition, business reference, starter, parent and start times are unchanged.
    bool keeps_identity() const;
    // Whether it ended something that a client may poll for: the workflow, its progress, or a wait.
    bool ends_polls() const;
    ChildrenDiff children() const;
};

// An instance that a round touched.
struct InstanceTouch {
    InstanceId id;
    const Instance* instance = nullptr;    // as it is now; null: cleared
    std::optional<HeldContinuation> held;  // leased to this node, which runs it
};

struct QueuedSignals {
    bool free = false;    // the commit queues some that no node has leased
    bool leased = false;  // it leases continuations to this node
};

// What a commit writes about continuations (I47), in the order of their instances.
struct ContinuationChanges {
    std::vector<SignalRow> inserted;
    std::vector<InstanceId> deleted;     // delete the continuation in the queue, if any
    std::vector<InstanceId> progressed;  // set attempts = 1 where there were more

    bool empty() const { return inserted.empty() && deleted.empty() && progressed.empty(); }
};

// The difference that a commit writes. Rows are in key order, history in order of acceptance.
struct Changes {
    std::vector<const InstanceChange*> instances;
    const std::vector<HistoryRow>* history = nullptr;
    const std::vector<ConflictRow>* conflicts = nullptr;
    const std::vector<std::shared_ptr<const Definition>>* definitions = nullptr;
    std::vector<const Checkpoint*> checkpoints;
    std::vector<const KeyedOutcome*> answers;
    const MailChanges* mail = nullptr;
    std::vector<const Step*> steps;
    std::vector<const Winner*> winners;
    std::map<Digest, const Document*> values;  // large ones, stored once, by digest
    Moment now;                                // of the round
    const std::set<InstanceId>* cleared_journals =
        nullptr;  // before steps and winners are inserted
    const SignalChanges* signals = nullptr;
    ContinuationChanges continuations;
    const TaskChanges* tasks = nullptr;

    bool empty() const;
};

}  // namespace holdfast
