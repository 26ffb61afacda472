// The signal queue as one round sees it: the loaded signals, and the changes of the round's
// operations.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "model/signal.h"
#include "store/read_set.h"
#include "store/undo_log.h"

namespace holdfast {

struct Self;

// Everything stored about one signal id.
struct KnownSignal {
    std::optional<SignalRow> queued;
    std::optional<ScheduledSignal> scheduled;
    std::optional<DeadLetter> dead;
    std::optional<InstanceId> processed;  // by this instance
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
    // Removed from the dead letters, before `buried` is inserted.
    std::map<SignalId, DeadLetter> unburied;
    std::map<SignalId, DeadLetter> buried;  // inserted
    // Those who wait for events on a channel, for the end of an instance, or are its open children.
    struct Awaiting {
        ChannelKey channel;
    };
    struct AwaitingEnd {
        InstanceId instance;
    };
    struct ChildrenOf {
        InstanceId instance;
    };
    // One signal for each of them, by one statement.
    struct FanOut {
        std::variant<Awaiting, AwaitingEnd, ChildrenOf> to;
        SignalType type = SignalType::external_signal;
        EnvelopeParts envelope;
        OperationId operation;  // their ids derive from it
        Moment at;
    };
    std::vector<FanOut> fan_outs;
    std::map<InstanceId, SignalId> moved;  // the last signal that moved an instance

    bool empty() const {
        return enqueued.empty() && scheduled.empty() && consumed.empty() && processed.empty() &&
               unburied.empty() && buried.empty() && fan_outs.empty() && moved.empty();
    }
};

// The signal that a fan-out sends to one wait, or to one child. A repeat of the operation makes the
// same one.
SignalId fan_out_id(const OperationId& operation, const Uuid& target);

class SignalBox {
public:
    // `reads` and `undo` outlive the box.
    SignalBox(const ReadSet& reads, LoadedSignals loaded, UndoLog& undo)
        : reads_(reads), undo_(undo), loaded_(std::move(loaded)) {}

    // With the changes of the round.
    KnownSignal known(const SignalId& id) const;

    void enqueue(SignalRow row);
    // The same for a new job, leased to the node that decides if it has a worker and room.
    void enqueue_job(SignalRow row, const Self& self);
    void schedule(ScheduledSignal signal);
    // Removes it from the queue; its id stays known as long as the instance exists (I18).
    void consume(const SignalRow& row, Moment now);
    // The same without a trace, for a signal whose repetition is recognised otherwise.
    void drop(const SignalRow& row);
    // Moves it from the queue to the dead letters (I41).
    void bury(DeadLetter letter);
    // Records a dead letter, but leaves the signal in its place in the queue, before the later ones
    // of its instance. It cannot be claimed until it is queued again.
    void hold(DeadLetter letter, Moment now);
    void unbury(DeadLetter letter);
    // Replaces a signal that is in the queue.
    void requeue(SignalRow row);
    void fan_out(SignalChanges::FanOut fan_out);
    // The signal moved the instance.
    void moved(const InstanceId& instance, const SignalId& signal);
    // Drops the changes of the round for an instance that is cleared.
    void forget(const InstanceId& id);

    // The continuation as it was loaded. Null: there was none.
    const KnownSignal* continuation(const InstanceId& id) const;
    // The same. Null also if the reads did not name it.
    const KnownSignal* loaded_continuation(const InstanceId& id) const;

    const SignalChanges& changes() const { return changes_; }
    // The jobs that this round leases to its node.
    std::vector<SignalRow> held_jobs() const;

private:
    const ReadSet& reads_;
    UndoLog& undo_;
    LoadedSignals loaded_;
    SignalChanges changes_;
    std::size_t held_jobs_ = 0;
};

}  // namespace holdfast
