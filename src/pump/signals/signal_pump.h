// Claims signals and brings each to whoever can act on it: the coordinator, a handler, or the dead
// letters. Who calls it, a thread of its own or a simulation, is decided elsewhere.
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

namespace holdfast {

// Belongs to one thread.
class SignalPump {
public:
    // Run the operations and give their outcomes, in order, once all are answered.
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
        std::optional<NextDue> next;  // absent: nothing will be there without somebody saying so
        bool starved = false;         // handlers are busy: look again when there is room
        bool full = false;            // and there was none at all
    };

    SignalPump(Parts parts, PumpSettings settings, Operations operations)
        : parts_(parts), settings_(settings), operations_(std::move(operations)) {}

    // Claims until nothing is left that this node has room for. An error: the store cannot be
    // reached; what was claimed and not acted on is acted on with the next look.
    Result<Looked> look();
    // A handler could not act on it: nobody claims it before its pause is over.
    void give_back(const Work& work);

private:
    Result<Claimed> claim(const NodeId& life, std::size_t room);
    Result<void> act(std::vector<SignalRow> signals);
    Result<void> handle(const std::vector<SignalRow>& signals);
    Result<void> bury(const std::vector<op::BurySignal>& letters,
                      const std::vector<SignalRow>& signals);
    // Whether a failed operation is worth another try with the next look.
    Result<void> failed(const Error& error, const SignalRow& signal);
    void queue_return(const SignalId& signal, const Lease& lease, std::chrono::microseconds pause,
              GiveBack attempt = GiveBack::counts);
    Result<void> dispatch(std::vector<SignalRow> signals);
    // What the handlers of continuations would each ask for.
    std::unordered_map<InstanceId, std::shared_ptr<const Instance>> instances_of(
        const std::vector<SignalRow>& signals);
    Result<void> return_leases();
    // Why nobody can act on it. Absent: somebody may.
    std::optional<op::BurySignal> dead_letter_for(const SignalRow& signal);

    Parts parts_;
    const PumpSettings settings_;
    Operations operations_;
    std::vector<SignalRow> unfinished_;  // claimed, and the store failed before they were acted on
    struct LeaseReturn {
        SignalId signal;
        Lease lease;
        std::chrono::microseconds pause;
        GiveBack attempt;
    };
    std::vector<LeaseReturn> leases_to_return_;
};

}  // namespace holdfast
