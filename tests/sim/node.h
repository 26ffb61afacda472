// One simulated node: the shipped coordinator, timers, signal pump and recovery, run by fibers
// instead of threads. It can crash and restart.
#pragma once

#include <prometheus/registry.h>

#include <deque>
#include <memory>

#include "operations/operation_codec.h"
#include "pump/recovery/recovery.h"
#include "pump/timers/agenda.h"
#include "pump/timers/timer_pump.h"
#include "round/coordinator.h"
#include "sim/pump.h"

namespace holdfast::sim {

// The clock of a node may be wrong; no stored data may depend on it.
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
    std::chrono::microseconds lease = std::chrono::seconds(3);
    bool has_programs = true;
    PumpSettings pump;
};

class Relay;
class Worker;

class Node final : public CommitListener {
public:
    Node(Database& database, VirtualClock& clock, NodeSetting setting);
    ~Node() override;

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
    // As a heartbeat would: looks for due timers, whatever was noted.
    void look_now() { look_ = true; }
    // Another node announced signals. The hint may be lost.
    void receive_announcement();
    Store& store() { return *store_; }
    const RecoveryReport& recovered() const { return recovered_; }
    bool recovery_done() const { return recovery_done_; }

    // Submits and lets others run until all are answered. On one of its fibers.
    template <class Op>
    std::vector<Result<typename Op::Outcome>> run_all(std::vector<Op> operations);

    void committed(const Touched& touched) override;
    void outcome_unknown() override;

private:
    void run_shard(std::size_t shard);
    void run_timers();
    void run_recovery();
    void note_due(Moment due);
    std::unique_ptr<NodePump> make_pump();
    template <class Outcome>
    void note(const std::string& operation, const Result<Outcome>& outcome);
    // A hint that may be lost, late, or come twice.
    void hint(NodeNumber node, std::function<void()> notify);

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
    std::unique_ptr<NodePump> pump_;
    std::unique_ptr<Relay> relay_;
    std::unique_ptr<Worker> worker_;
    Programs programs_;
    // Of earlier lives: their fibers may still unwind in them.
    std::vector<std::pair<std::unique_ptr<Coordinator>, std::unique_ptr<NodePump>>> crashed_;
    std::vector<char> work_;
    Agenda agenda_;
    bool look_ = false;
    RecoveryReport recovered_;
    bool recovery_done_ = false;
};

template <class Op>
std::vector<Result<typename Op::Outcome>> Node::run_all(std::vector<Op> operations) {
    struct Answers {
        std::vector<Result<typename Op::Outcome>> outcomes;
        std::size_t missing;
    };
    auto answers = std::make_shared<Answers>();
    answers->outcomes.assign(operations.size(), fail(ErrorCode::internal, "not answered"));
    answers->missing = operations.size();
    for (std::size_t i = 0; i < operations.size(); ++i)
        submit(std::move(operations[i]), [this, answers, i](Result<typename Op::Outcome> outcome) {
            note(std::string(Op::name), outcome);
            answers->outcomes[i] = std::move(outcome);
            --answers->missing;
        });
    database_.scheduler().wait([answers] { return answers->missing == 0; });
    return std::move(answers->outcomes);
}

template <class Outcome>
void Node::note(const std::string& operation, const Result<Outcome>& outcome) {
    const std::string what = outcome
                                 ? std::string(op::outcome_json(*outcome).at("outcome").as_string())
                                 : "error " + std::string(name_of(outcome.error().code));
    ++database_.ledger().answers[operation + " " + what];
}

}  // namespace holdfast::sim
