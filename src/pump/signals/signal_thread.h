// The thread that brings signals to those who act on them. It sleeps until somebody says that there
// is something, or until the next signal comes due; it never asks just to see (004.5).
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pump/outage.h"
#include "pump/signals/signal_pump.h"
#include "pump/timers/agenda.h"
#include "round/coordinator.h"

namespace holdfast {

// Listens to commits from before the coordinator exists; begins to claim when it is started.
class SignalThread final : public CommitListener {
public:
    // Handlers are called on `workers`; without them, on threads of its own.
    SignalThread(const Programs& programs, PumpSettings settings, PumpMetrics& metrics,
                 WorkerPool* workers = nullptr);
    ~SignalThread() override;

    void start(Store& store, Coordinator& coordinator, IdSource& ids, NodeLife& life);
    // Claims nothing more, and waits for what is in the hands of handlers, but not for ever.
    // Before the coordinator shuts down.
    void stop();

    void committed(const Touched& touched) override;
    void outcome_unknown() override;
    // Signals may be there that it has not heard of.
    void look_now();
    // What a heartbeat found is the whole picture, unless something was heard since it asked.
    void expect_beat();
    void apply_beat(const Beat& beat);
    // That life of the node is over.
    void drop(const NodeId& life);
    // What this node may lease to itself (004.11).
    Self self(const std::optional<NodeId>& life) const;

    // How often it has looked into the store and gone to sleep again.
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
    // Whether so much is worth another claim right now. Less is worth one a little later.
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
    bool failing_ = false;        // what is left from the last look is not in a heartbeat's picture
    bool beat_is_fresh_ = false;  // nothing was heard since it was asked
    std::optional<Steady::time_point> deadline_;
    std::vector<Work> given_up_;
    NodeLife* life_ = nullptr;
    bool outcome_unknown_ = false;  // this life may hold what nobody knows of
    std::size_t looks_ = 0;

    std::optional<WorkerPool> own_workers_;
    WorkerPool& workers_;
    std::shared_ptr<WorkQueue> work_queue_;
    std::jthread thread_;
};

}  // namespace holdfast
