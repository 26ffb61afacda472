#include "sim/pump.h"

namespace holdfast::sim {
namespace {

constexpr std::chrono::milliseconds outage_pause{200};

std::set<std::string> set_of(const std::vector<std::string>& keys) {
    return {keys.begin(), keys.end()};
}

}  // namespace

NodePump::NodePump(Parts parts)
    : parts_(std::move(parts)),
      keys_(set_of(parts_.programs.keys())),
      work_queue_(WorkQueue::make(
          parts_.programs,
          {.at_once = parts_.settings.max_concurrent_handlers,
           .held = parts_.settings.most_held,
           .post =
               [this](WorkerPool::WorkItem& job) {
                   auto kept = std::make_shared<WorkerPool::WorkItem>(std::move(job));
                   parts_.database.scheduler().spawn(parts_.node, [kept] { (*kept)(); });
                   return true;
               },
           .finished = [this](const Work& work,
                              const Result<void>& result) { finished(work, result); }})),
      life_(parts_.store, parts_.ids, parts_.metrics,
            {.name = "node-" + std::to_string(parts_.node),
             .lease = parts_.lease,
             .programs = parts_.programs.keys(),
             .steady =
                 [this] {
                     return NodeLife::Steady::time_point(parts_.clock.now().time_since_epoch());
                 }},
            [this](const NodeId& life) { drop(life); }),
      pump_({parts_.store, parts_.ids, parts_.metrics, life_, *work_queue_, parts_.programs},
            parts_.settings, parts_.operations) {
    work_queue_->open();
}

template <class Call>
auto NodePump::alone(Call call) -> decltype(call()) {
    struct Busy {
        bool& flag;
        explicit Busy(bool& its) : flag(its) { flag = true; }
        ~Busy() { flag = false; }
    };
    parts_.database.scheduler().wait([this] { return !life_is_busy_; });
    const Busy busy(life_is_busy_);
    return call();
}

void NodePump::run_looks() {
    for (;;) {
        look_ = false;
        starved_ = false;
        agenda_.begin_look();
        for (const auto& [work, error] : std::exchange(given_up_, {})) pump_.give_back(work, error);
        if (std::exchange(outcome_unknown_, false)) alone([this] { life_.end(); });
        const auto joined = alone([this] { return life_.join(); });
        if (!end_look(joined ? pump_.look() : std::unexpected(joined.error()))) sleep();
    }
}

bool NodePump::end_look(const Result<SignalPump::Looked>& looked) {
    deadline_.reset();
    if (!looked) {
        agenda_.end_look(std::nullopt);
        agenda_.plan(Moment::min());
        deadline_ = parts_.clock.now() + outage_pause;
        return false;
    }
    starved_ = looked->starved;
    if (looked->next) deadline_ = parts_.clock.now() + looked->next->in;
    return agenda_.end_look(looked->next ? std::optional(looked->next->due) : std::nullopt);
}

void NodePump::sleep() {
    while (!look_ && !(deadline_ && *deadline_ <= parts_.clock.now())) {
        replanned_ = false;
        parts_.database.scheduler().wait([this] { return look_ || replanned_; }, deadline_);
    }
}

void NodePump::run_beats() {
    std::optional<NodeId> known = life_.id();
    for (;;) {
        const auto beat = alone([this] { return life_.beat(); });
        auto interval = parts_.lease / 3;
        if (beat) {
            const auto now = life_.id();
            if (beat->alive) apply_beat(*beat);
            if (now && now != known) parts_.rejoined();
            known = now;
        } else {
            interval = std::min<std::chrono::microseconds>(interval, outage_pause);
        }
        parts_.database.scheduler().sleep(interval);
    }
}

// Finds what lost hints missed.
void NodePump::apply_beat(const Beat& beat) {
    parts_.beat(beat);
    if (!beat.claimable_at || agenda_.is_looking()) return;
    const Moment at = parts_.clock.now() + (*beat.claimable_at - beat.now);
    if (starved_ && at <= parts_.clock.now()) return;
    if (deadline_ && *deadline_ <= at) return;
    agenda_.plan(beat.claimable_at);
    deadline_ = at;
    replanned_ = true;
}

void NodePump::committed(const Touched& touched) {
    bool is_void = false;
    const auto life = life_.id();
    for (const auto& [id, instance, held] : touched.instances) {
        if (!held || !instance) continue;
        is_void = is_void || (life && held->lease.node != *life);
        work_queue_->offer({.instance = id,
                            .lease = held->lease,
                            .id = held->signal,
                            .program = instance->definition.key},
                           WorkQueue::Origin::own);
    }
    for (const SignalRow& job : touched.held_jobs) {
        is_void = is_void || (life && job.leased_by != life);
        work_queue_->offer(work_of(job, instance_of(job, touched)), WorkQueue::Origin::own);
    }
    const bool is_free = touched.free_signals || is_void;
    if (!is_free && !touched.scheduled) return;
    if (agenda_.note_due(is_free ? Moment::min() : *touched.scheduled)) look_ = true;
}

void NodePump::outcome_unknown() {
    outcome_unknown_ = true;
    look_now();
}

void NodePump::look_now() {
    if (agenda_.note_due(Moment::min())) look_ = true;
}

void NodePump::finished(const Work& work, const Result<void>& result) {
    if (!result) {
        ++parts_.database.ledger().answers["a handler failed"];
        given_up_.emplace_back(work, result.error());
    }
    starved_ = false;
    look_now();
}

void NodePump::drop(const NodeId& life) {
    ++parts_.database.ledger().answers["a life ended"];
    std::erase_if(given_up_, [&](const auto& item) { return item.first.lease.node == life; });
    work_queue_->drop(life);
    look_now();
}

Self NodePump::self() const {
    return {.node = life_.id(),
            .programs = keys_,
            .has_room = work_queue_->has_room(),
            .room_for_jobs = work_queue_->room_for_own_jobs()};
}

}  // namespace holdfast::sim
