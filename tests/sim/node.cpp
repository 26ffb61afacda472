#include "sim/node.h"

#include "model/job.h"
#include "sim/relay.h"
#include "sim/worker.h"

namespace holdfast::sim {

Node::Node(Database& database, VirtualClock& clock, NodeSetting setting)
    : database_(database),
      clock_(clock),
      setting_(setting),
      own_clock_(clock, setting.skew),
      metrics_(registry_),
      pump_metrics_(registry_),
      relay_(std::make_unique<Relay>(*this, database)),
      worker_(std::make_unique<Worker>(*this, database)) {
    if (!setting_.has_programs) return;
    programs_.add(std::string(Relay::key), *relay_);
    programs_.add(program_of_jobs(std::string(Worker::type)), *worker_);
}

Node::~Node() = default;

void Node::start() {
    ++lives_;
    ids_ = std::make_unique<IdSource>(own_clock_, setting_.seed + lives_ * 1'000'003);
    store_ = std::make_unique<NodeStore>(database_, setting_.shards);
    work_.assign(setting_.shards, 0);
    agenda_ = {};
    look_ = false;
    recovery_done_ = false;
    pump_ = make_pump();
    auto opened = Coordinator::open_driven(*store_, *ids_, metrics_,
                                           {.node = "node-" + std::to_string(setting_.number),
                                            .self = [this] { return pump_->self(); },
                                            .limits = {.round = setting_.round_limit},
                                            .listeners = {this}},
                                           [this](std::size_t shard) { work_[shard] = 1; });
    coordinator_ = *std::move(opened);
    Scheduler& scheduler = database_.scheduler();
    for (std::size_t shard = 0; shard < setting_.shards; ++shard)
        scheduler.spawn(setting_.number, [this, shard] { run_shard(shard); });
    scheduler.spawn(setting_.number, [this] { run_timers(); });
    scheduler.spawn(setting_.number, [this] { run_recovery(); });
    scheduler.spawn(setting_.number, [this] { pump_->run_looks(); });
    scheduler.spawn(setting_.number, [this] { pump_->run_beats(); });
}

std::unique_ptr<NodePump> Node::make_pump() {
    return std::make_unique<NodePump>(
        NodePump::Parts{.database = database_,
                        .clock = clock_,
                        .store = *store_,
                        .ids = *ids_,
                        .metrics = pump_metrics_,
                        .programs = programs_,
                        .node = setting_.number,
                        .lease = setting_.lease,
                        .settings = setting_.pump,
                        .operations = {.handle =
                                           [this](std::vector<op::HandleSignal> operations) {
                                               return run_all(std::move(operations));
                                           },
                                       .bury =
                                           [this](std::vector<op::BurySignal> operations) {
                                               return run_all(std::move(operations));
                                           }},
                        .beat =
                            [this](const Beat& beat) {
                                if (beat.due_at) note_due(*beat.due_at);
                            },
                        .rejoined =
                            [this] {
                                look_now();
                                pump_->look_now();
                            }});
}

void Node::crash() {
    if (!is_up()) return;
    crashed_.emplace_back(std::move(coordinator_), std::move(pump_));
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

void Node::note_due(Moment due) {
    if (agenda_.note_due(due)) look_ = true;
}

void Node::hint(NodeNumber node, std::function<void()> notify) {
    Faults& faults = database_.faults();
    Random& random = database_.random();
    if (faults.strikes(Fault::lost_hint, random, 20)) return;
    if (faults.strikes(Fault::late_hint, random, 20)) {
        database_.scheduler().spawn(node, [this, notify = std::move(notify)] {
            database_.scheduler().sleep(std::chrono::milliseconds(database_.random().below(2'000)));
            notify();
        });
        return;
    }
    notify();
    if (faults.strikes(Fault::repeated_hint, random, 20)) notify();
}

void Node::committed(const Touched& touched) {
    // A node never misses its own commits.
    pump_->committed(touched);
    if (touched.free_signals && database_.on_announce) database_.on_announce(setting_.number);
    if (const auto earliest = earliest_due(touched))
        hint(setting_.number, [this, due = *earliest] { note_due(due); });
}

void Node::outcome_unknown() { pump_->outcome_unknown(); }

void Node::receive_announcement() {
    if (!is_up()) return;
    hint(server, [this] {
        if (is_up()) pump_->look_now();
    });
}

}  // namespace holdfast::sim
