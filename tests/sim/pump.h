// The shipped signal pump, work queue and node life of one simulated node, run by fibers instead of
// threads.
#pragma once

#include <functional>
#include <memory>

#include "pump/signals/signal_pump.h"
#include "pump/timers/agenda.h"
#include "round/commit_listener.h"
#include "sim/database.h"

namespace holdfast::sim {

class NodePump {
public:
    struct Parts {
        Database& database;
        const VirtualClock& clock;
        NodeStore& store;
        IdSource& ids;
        PumpMetrics& metrics;
        const Programs& programs;
        NodeNumber node = 0;
        std::chrono::microseconds lease{0};
        PumpSettings settings;
        SignalPump::Operations operations;
        std::function<void(const Beat&)> beat;  // for the timers
        std::function<void()> rejoined;
    };

    explicit NodePump(Parts parts);

    // The bodies of its fibers.
    void run_looks();
    void run_beats();

    void committed(const Touched& touched);
    void outcome_unknown();
    void look_now();
    Self self() const;

private:
    bool end_look(const Result<SignalPump::Looked>& looked);
    void sleep();
    void apply_beat(const Beat& beat);
    void finished(const Work& work, const Result<void>& result);
    void drop(const NodeId& life);
    // Runs alone: NodeLife locks mutexes, on which a fiber would deadlock.
    template <class Call>
    auto alone(Call call) -> decltype(call());

    Parts parts_;
    const std::set<std::string> keys_;
    std::shared_ptr<WorkQueue> work_queue_;
    NodeLife life_;
    SignalPump pump_;
    Agenda agenda_;
    bool life_is_busy_ = false;
    bool outcome_unknown_ = false;
    bool look_ = false;
    bool replanned_ = false;
    bool starved_ = false;
    std::optional<Moment> deadline_;
    std::vector<std::pair<Work, Error>> given_up_;
};

}  // namespace holdfast::sim
