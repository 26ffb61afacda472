#include "sim/node.h"

namespace holdfast::sim {

Node::Node(Database& database, VirtualClock& clock, NodeSetting setting)
    : database_(database),
      clock_(clock),
      setting_(setting),
      own_clock_(clock, setting.skew),
      metrics_(registry_),
      pump_metrics_(registry_) {}

void Node::start() {
    ++lives_;
    ids_ = std::make_unique<IdSource>(own_clock_, setting_.seed + lives_ * 1'000'003);
    store_ = std::make_unique<NodeStore>(database_, setting_.shards);
    work_.assign(setting_.shards, 0);
    agenda_ = {};
    look_ = false;
    recovery_done_ = false;
    auto opened = Coordinator::open_driven(*store_, *ids_, metrics_,
                                           {.node = "node-" + std::to_string(setting_.number),
                                            .limits = {.round = setting_.round_limit},
                                            .listeners = {this}},
                                           [this](std::size_t shard) { work_[shard] = 1; });
    coordinator_ = *std::move(opened);
    Scheduler& scheduler = database_.scheduler();
    for (std::size_t shard = 0; shard < setting_.shards; ++shard)
        scheduler.spawn(setting_.number, [this, shard] { run_shard(shard); });
    scheduler.spawn(setting_.number, [this] { run_timers(); });
    scheduler.spawn(setting_.number, [this] { run_recovery(); });
}

void Node::crash() {
    if (!is_up()) return;
    graveyard_.push_back(std::move(coordinator_));
    database_.scheduler().kill(setting_.number);
}

void Node::run_shard(std::size_t shard) {
    Shard& its = *coordinator_->shards()[shard];
    for (;;) {
        database_.scheduler().wait([this, shard] { return work_[shard] != 0; });
        work_[shard] = 0;
        while (its.run_round()) {
        }
    }
}

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
        submit(std::move(operations[i]), [answers, i](Result<typename Op::Outcome> outcome) {
            answers->outcomes[i] = std::move(outcome);
            --answers->missing;
        });
    database_.scheduler().wait([answers] { return answers->missing == 0; });
    return std::move(answers->outcomes);
}

void Node::run_timers() {
    TimerPump pump(*store_, *ids_, pump_metrics_, [this](std::vector<op::FireTimer> operations) {
        return run_all(std::move(operations));
    });
    for (;;) {
        look_ = false;
        agenda_.begin_look();
        const auto next = pump.look();
        const bool armed = next && *next;
        if (agenda_.end_look(armed ? std::optional((*next)->due) : std::nullopt) && next) continue;
        std::optional<Moment> until;
        if (!next) until = clock_.now() + std::chrono::seconds(1);
        if (armed) until = clock_.now() + (*next)->in;
        database_.scheduler().wait([this] { return look_; }, until);
    }
}

void Node::run_recovery() {
    Recovery recovery(*store_, *ids_, [this](std::vector<op::Recover> operations) {
        return run_all(std::move(operations));
    });
    auto report = recovery.recover([] { return false; });
    while (!report) {
        database_.scheduler().sleep(std::chrono::milliseconds(500));
        report = recovery.recover([] { return false; });
    }
    recovered_ = *report;
    recovery_done_ = true;
}

void Node::hear(Moment due) {
    if (agenda_.hear(due)) look_ = true;
}

void Node::committed(const Touched& touched) {
    const auto earliest = earliest_due(touched);
    if (!earliest) return;
    const Moment due = *earliest;
    Faults& faults = database_.faults();
    Random& random = database_.random();
    if (faults.strikes(Fault::lost_hint, random, 20)) return;
    if (faults.strikes(Fault::late_hint, random, 20)) {
        database_.scheduler().spawn(setting_.number, [this, due] {
            database_.scheduler().sleep(std::chrono::milliseconds(database_.random().below(2'000)));
            hear(due);
        });
        return;
    }
    hear(due);
    if (faults.strikes(Fault::repeated_hint, random, 20)) hear(due);
}

}  // namespace holdfast::sim
