// The thread that runs the signal pump. It sleeps until a commit, an announcement or a finished
// handler wakes it, or until the next signal is due; it never polls (004.5).
//
//     phase     next          when
//     Due       Looking       at once
//     Looking   Sleeping      the look has ended
//               Due           something came due during it that it may have missed, or room was
//               freed Failing       the store was away
//     Sleeping  Due           something is due earlier, or there is room for what the look left
//               Looking       its deadline; a heartbeat or freed room may move it
//     Failing   Looking       the backoff is over
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>
#include <variant>

#include "pump/outage.h"
#include "pump/signals/signal_pump.h"
#include "pump/timers/agenda.h"
#include "round/coordinator.h"

namespace holdfast {

// Constructed before the coordinator, as its listener; claims only once it is started.
class SignalThread final : public CommitListener {
public:
    // Handlers are called on `workers`; null: on its own threads.
    SignalThread(const Programs& programs, PumpSettings settings, PumpMetrics& metrics,
                 WorkerPool* workers = nullptr);
    ~SignalThread() override;

    void start(Store& store, Coordinator& coordinator, IdSource& ids, NodeLife& life);
    // Stops claiming and waits for running handlers, up to 5 s. Call before the coordinator shuts
    // down.
    void stop();

    void committed(const Touched& touched) override;
    void outcome_unknown() override;
    // Looks at once: there may be signals that it does not know of.
    void look_now();
    // A heartbeat's result replaces the plan, unless something changed since expect_beat.
    void expect_beat();
    void apply_beat(const Beat& beat);
    // That life of the node is over.
    void drop(const NodeId& life);
    // What this node may lease to itself (004.11).
    Self self(const std::optional<NodeId>& life) const;

    // How many looks it has done.
    std::size_t looks() const;
    const WorkQueue& work_queue() const { return *work_queue_; }

private:
    using Steady = std::chrono::steady_clock;
    using Deadline = std::optional<Steady::time_point>;  // absent: none

    // What the last look left although it is due.
    enum class Left { nothing, something, for_want_of_room };

    struct Due {};
    struct Looking {};
    struct Sleeping {
        Deadline deadline;
        Left left = Left::nothing;
        bool expects_beat = false;  // nothing changed since the heartbeat was sent
    };
    struct Failing {
        Steady::time_point deadline;
    };
    using Phase = std::variant<Due, Looking, Sleeping, Failing>;

    // For the next look.
    struct Requests {
        std::vector<std::pair<Work, Error>> give_back;
        bool end_life = false;  // this life may hold leases that it does not know of
    };

    void run(SignalPump& pump, std::stop_token stop);
    Requests begin_look();
    // Plans the next look.
    void end_look(const Result<SignalPump::Looked>& looked, Outage& outage);
    Phase phase_after(const SignalPump::Looked& looked);
    void sleep(std::stop_token stop);
    void finished(const Work& work, const Result<void>& result);
    // Something is due then: if that is earlier than planned, the next look is at once.
    void note_due(Moment due);
    // Whether this much room is worth another claim now. Less is worth one a little later.
    bool has_room(std::size_t room) const;
    static void wait_for_more_room(Sleeping& sleeping);
    Deadline deadline() const;
    std::optional<NodeId> current_life() const;

    const Programs& programs_;
    const std::set<std::string> keys_;
    const PumpSettings settings_;
    PumpMetrics& metrics_;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    Agenda agenda_;
    Phase phase_ = Due{};
    Requests requests_;
    NodeLife* life_ = nullptr;
    std::size_t looks_ = 0;

    std::optional<WorkerPool> own_workers_;
    WorkerPool& workers_;
    std::shared_ptr<WorkQueue> work_queue_;
    std::jthread thread_;
};

}  // namespace holdfast
