// The signal queue as one round sees it: the loaded signals, and the changes of the round's
// operations.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/signal.h"
#include "store/read_set.h"
#include "store/undo_log.h"

namespace holdfast {

// Everything stored about one signal id.
struct KnownSignal {
    std::optional<SignalRow> queued;
    std::optional<ScheduledSignal> scheduled;
    std::optional<DeadLetter> dead;
    bool processed = false;
    // The lease of the node that holds it has not expired, by the store's clock.
    bool lease_valid = false;

    bool empty() const { return !queued && !scheduled && !dead && !processed; }
};

struct LoadedSignals {
    std::map<SignalId, KnownSignal> signals;
    // The continuation of each instance whose reads name it (I47); absent: it has none.
    std::map<InstanceId, KnownSignal> continuations;
};

// What a commit writes about signals. Continuations are not among them: they follow their
// instances (store/continuation.h).
struct SignalChanges {
    std::map<SignalId, SignalRow> enqueued;         // inserted
    std::map<SignalId, ScheduledSignal> scheduled;  // inserted
    std::set<SignalId> consumed;                    // removed from the queue; they were in it
    std::vector<ProcessedSignal> processed;         // inserted
    std::set<SignalId> unburied;  // removed from the dead letters, before `buried` is inserted
    std::map<SignalId, DeadLetter> buried;  // inserted
    // One signal for every registered wait for that name, by one statement.
    struct FanOut {
        std::string name;       // of the event that they wait for
        std::string envelope;   // the same for all of them: carries the event
        OperationId operation;  // their ids derive from it
    };
    std::vector<FanOut> fan_outs;

    bool empty() const {
        return enqueued.empty() && scheduled.empty() && consumed.empty() && processed.empty() &&
               unburied.empty() && buried.empty() && fan_outs.empty();
    }
};

// The signal that a fan-out sends to one instance. A repeat of the operation makes the same one.
SignalId fan_out_id(const OperationId& operation, const InstanceId& instance);

class SignalBox {
public:
    // `reads` and `undo` outlive the box.
    SignalBox(const ReadSet& reads, LoadedSignals loaded, UndoLog& undo)
        : reads_(reads), undo_(undo), loaded_(std::move(loaded)) {}

    // With the changes of the round.
    KnownSignal known(const SignalId& id) const;

    void enqueue(SignalRow row);
    void schedule(ScheduledSignal signal);
    // Removes it from the queue; its id stays known as long as the instance exists (I18).
    void consume(const SignalRow& row, Moment now);
    // Moves it from the queue to the dead letters (I41).
    void bury(DeadLetter letter);
    void unbury(const SignalId& id);
    void fan_out(SignalChanges::FanOut fan_out);
    // Drops the changes of the round for an instance that is cleared.
    void forget(const InstanceId& id);

    // The continuation as it was loaded. Null: there was none.
    const KnownSignal* continuation(const InstanceId& id) const;
    // The same. Null also if the reads did not name it.
    const KnownSignal* loaded_continuation(const InstanceId& id) const;

    const SignalChanges& changes() const { return changes_; }

private:
    const ReadSet& reads_;
    UndoLog& undo_;
    LoadedSignals loaded_;
    SignalChanges changes_;
};

}  // namespace holdfast
