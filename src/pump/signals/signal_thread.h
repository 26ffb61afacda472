// The thread that runs the signal pump. It sleeps until a commit, an announcement or a finished
// handler wakes it, or until the next signal is due; it never polls (004.5).
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

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

    void run(SignalPump& pump, std::stop_token stop);
    // Plans the next look. True: look again at once.
    bool end_look(const Result<SignalPump::Looked>& looked, Outage& outage);
    void sleep(std::stop_token stop);
    void finished(const Work& work, const Result<void>& result);
    void wake_locked();
    // Whether this much room is worth another claim now. Less is worth one a little later.
    bool has_room(std::size_t room) const;
    void wait_for_more_room();
    std::optional<NodeId> current_life() const;

    const Programs& programs_;
    const std::set<std::string> keys_;
    const PumpSettings settings_;
    PumpMetrics& metrics_;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    Agenda agenda_;
    bool look_now_ = false;
    bool replanned_ = false;
    bool starved_ = false;        // the last look left something that is due
    bool full_ = false;           // because there was no room for it
    bool failing_ = false;        // the last look failed; heartbeats do not show what it left
    bool beat_is_fresh_ = false;  // nothing changed since the heartbeat was sent
    std::optional<Steady::time_point> deadline_;
    std::vector<Work> given_up_;
    NodeLife* life_ = nullptr;
    bool outcome_unknown_ = false;  // this life may hold leases that it does not know of
    std::size_t looks_ = 0;

    std::optional<WorkerPool> own_workers_;
    WorkerPool& workers_;
    std::shared_ptr<WorkQueue> work_queue_;
    std::jthread thread_;
};

}  // namespace holdfast
