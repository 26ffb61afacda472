// The signal queue as one round sees it: what was loaded, and what the round's operations enqueued,
// consumed and buried.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/signal.h"

namespace holdfast {

// All that is stored about one signal id.
struct KnownSignal {
    std::optional<SignalRow> queued;
    std::optional<ScheduledSignal> scheduled;
    std::optional<DeadLetter> dead;
    bool processed = false;
    // The node that leases it may still act: its own lease has not run out by the store's clock.
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
    std::set<SignalId> unburied;  // removed from the dead letters, before these are added:
    std::map<SignalId, DeadLetter> buried;  // inserted
    // One signal for every wait for that name that the tables hold, by one statement.
    struct FanOut {
        std::string name;       // of the event that they wait for
        std::string envelope;   // payload of all of them: the event
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
    explicit SignalBox(LoadedSignals loaded) : loaded_(std::move(loaded)) {}

    // What is known of a signal that the round's reads name, after what the round did to it.
    KnownSignal known(const SignalId& id) const;
    bool was_read(const SignalId& id) const { return loaded_.signals.contains(id); }

    void enqueue(SignalRow row);
    void schedule(ScheduledSignal signal);
    // It leaves the queue; its id stays known for as long as the instance (I18).
    void consume(const SignalRow& row, Moment now);
    // It leaves the queue for the dead letters (I41).
    void bury(DeadLetter letter);
    void unbury(const SignalId& id);
    void fan_out(SignalChanges::FanOut fan_out);
    // What the round did for an instance that is cleared goes with it.
    void forget(const InstanceId& id);

    // The continuation as it was loaded. Null: there was none, or the reads did not name it.
    const KnownSignal* continuation(const InstanceId& id) const;
    bool continuation_was_read(const InstanceId& id) const {
        return loaded_.continuations.contains(id);
    }

    const SignalChanges& changes() const { return changes_; }
    std::size_t writes() const { return writes_; }

private:
    LoadedSignals loaded_;
    SignalChanges changes_;
    std::size_t writes_ = 0;
};

}  // namespace holdfast
