// One simulated node: the shipped coordinator, timers and recovery, run by fibers instead of
// threads. It can die and come back.
#pragma once

#include <prometheus/registry.h>

#include <deque>
#include <memory>

#include "coordinator/coordinator.h"
#include "pump/agenda.h"
#include "pump/recovery.h"
#include "pump/timer_pump.h"
#include "sim/database.h"

namespace holdfast::sim {

// A node's own clock may be wrong; nothing that is stored may depend on it.
class SkewedClock final : public Clock {
public:
    SkewedClock(const VirtualClock& clock, std::chrono::microseconds skew)
        : clock_(clock), skew_(skew) {}
    Moment now() const override { return clock_.now() + skew_; }

private:
    const VirtualClock& clock_;
    std::chrono::microseconds skew_;
};

struct NodeSetting {
    NodeNumber number = 0;
    std::size_t shards = 1;
    std::uint64_t seed = 0;
    std::chrono::microseconds skew{0};
    std::size_t round_limit = 256;
};

class Node final : public CommitListener {
public:
    Node(Database& database, VirtualClock& clock, NodeSetting setting);

    void start();
    // Forgets everything that was in memory. Called from one of its fibers: the caller throws.
    void crash();
    bool is_up() const { return coordinator_ != nullptr; }
    std::uint64_t lives() const { return lives_; }

    template <class Op>
    void submit(Op op, Callback<typename Op::Outcome> callback) {
        coordinator_->submit(std::move(op), std::move(callback));
    }
    IdSource& ids() { return *ids_; }
    // As a heartbeat would: looks for due timers whatever it has heard.
    void look_now() { look_ = true; }
    const RecoveryReport& recovered() const { return recovered_; }
    bool recovery_done() const { return recovery_done_; }

    void committed(const Touched& touched) override;

private:
    void run_shard(std::size_t shard);
    void run_timers();
    void run_recovery();
    void hear(Moment due);
    // Submits and lets others run until all are answered.
    template <class Op>
    std::vector<Result<typename Op::Outcome>> run_all(std::vector<Op> operations);

    Database& database_;
    VirtualClock& clock_;
    const NodeSetting setting_;
    SkewedClock own_clock_;
    std::uint64_t lives_ = 0;
    std::unique_ptr<IdSource> ids_;
    prometheus::Registry registry_;
    CoordinatorMetrics metrics_;
    PumpMetrics pump_metrics_;
    std::unique_ptr<NodeStore> store_;
    std::unique_ptr<Coordinator> coordinator_;
    std::vector<std::unique_ptr<Coordinator>> graveyard_;  // its fibers may still unwind in them
    std::vector<char> work_;
    Agenda agenda_;
    bool look_ = false;
    RecoveryReport recovered_;
    bool recovery_done_ = false;
};

}  // namespace holdfast::sim
