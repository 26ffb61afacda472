// Claims signals and passes each to the coordinator, to a handler, or to the dead letters. Its
// owner runs it: a SignalThread or a simulation.
#pragma once

#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/ids/id_source.h"
#include "operations/signals/bury_signal.h"
#include "operations/signals/handle_signal.h"
#include "pump/nodes/node_life.h"
#include "pump/settings.h"
#include "pump/signals/work_queue.h"
#include "pump/timers/timer_pump.h"
#include "round/commit_listener.h"
#include "store/store.h"

namespace holdfast {

// Logs the signals that nobody handles because their rows are corrupt.
void report_corrupt(const Claimed& claimed);

// Of a signal that is leased to this node.
Work work_of(SignalRow signal, std::shared_ptr<const Instance> instance);

// As the commit left it. Null: not known.
std::shared_ptr<const Instance> instance_of(const SignalRow& job, const Touched& touched);

// Belongs to one thread.
class SignalPump {
public:
    // Runs the operations and returns their outcomes, in order, once all are answered.
    template <class Op>
    using Run = std::function<std::vector<Result<typename Op::Outcome>>(std::vector<Op>)>;
    struct Operations {
        Run<op::HandleSignal> handle;
        Run<op::BurySignal> bury;
    };
    struct Parts {
        Store& store;
        IdSource& ids;
        PumpMetrics& metrics;
        NodeLife& life;
        WorkQueue& work_queue;
        const Programs& programs;
    };
    struct Looked {
        std::optional<NextDue> next;  // absent: nothing to claim until a commit or an announcement
        bool starved = false;         // something is due but cannot be claimed yet
        bool full = false;            // because the work queue has no room
    };

    SignalPump(Parts parts, PumpSettings settings, Operations operations)
        : parts_(parts), settings_(settings), operations_(std::move(operations)) {}

    // Claims until nothing is left that this node has room for. An error: the store cannot be
    // reached; claimed signals that were not processed are processed with the next look.
    Result<Looked> look();
    // A handler ended with this error: the signal cannot be claimed before its pause is over.
    void give_back(const Work& work, const Error& error);

private:
    Result<Claimed> claim(const NodeId& life, std::size_t room);
    Result<void> act(std::vector<SignalRow> signals);
    Result<void> handle(const std::vector<SignalRow>& signals);
    Result<void> bury(const std::vector<op::BurySignal>& letters,
                      const std::vector<SignalRow>& signals);
    // Keeps the signal for the next look if the store is to blame, else returns its lease.
    Result<void> failed(const Error& error, const SignalRow& signal);
    void queue_return(const SignalId& signal, const Lease& lease, std::chrono::microseconds pause,
                      GiveBack attempt = GiveBack::counts);
    Result<void> dispatch(std::vector<SignalRow> signals);
    // The instances of continuations, in one query instead of one per handler.
    std::unordered_map<InstanceId, std::shared_ptr<const Instance>> instances_of(
        const std::vector<SignalRow>& signals);
    Result<void> return_leases();
    // Why the signal is unusable. Absent: it is usable.
    std::optional<op::BurySignal> dead_letter_for(const SignalRow& signal);

    Parts parts_;
    const PumpSettings settings_;
    Operations operations_;
    std::vector<SignalRow> unfinished_;  // claimed, but the store failed before they were processed
    struct LeaseReturn {
        SignalId signal;
        Lease lease;
        std::chrono::microseconds pause;
        GiveBack attempt;
    };
    std::vector<LeaseReturn> leases_to_return_;
};

}  // namespace holdfast
