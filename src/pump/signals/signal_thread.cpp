#include "pump/signals/signal_thread.h"

#include "base/log.h"
#include "base/threads/threads.h"

namespace holdfast {
namespace {

constexpr std::chrono::milliseconds handler_grace{5'000};

// How long to wait for more room before a small claim, to save statements.
constexpr std::chrono::milliseconds time_for_more{10};

std::set<std::string> set_of(const std::vector<std::string>& keys) {
    return {keys.begin(), keys.end()};
}

}  // namespace

SignalThread::SignalThread(const Programs& programs, PumpSettings settings, PumpMetrics& metrics,
                           WorkerPool* workers)
    : programs_(programs),
      keys_(set_of(programs.keys())),
      settings_(settings),
      metrics_(metrics),
      workers_(workers
                   ? *workers
                   : own_workers_.emplace(
                         "handle", std::min(settings.consumers, settings.max_concurrent_handlers),
                         settings.max_concurrent_handlers)),
      work_queue_(WorkQueue::make(
          programs, {.at_once = settings.max_concurrent_handlers,
                     .held = settings.most_held,
                     .post = [this](WorkerPool::WorkItem& job) { return workers_.post(job); },
                     .finished = [this](const Work& work,
                                        const Result<void>& result) { finished(work, result); }})) {
}

SignalThread::~SignalThread() { stop(); }

void SignalThread::start(Store& store, Coordinator& coordinator, IdSource& ids, NodeLife& life) {
    {
        const std::lock_guard lock(mutex_);
        life_ = &life;
    }
    work_queue_->open();
    thread_ = named_thread("signals", [&, this](std::stop_token stop) {
        SignalPump pump({store, ids, metrics_, life, *work_queue_, programs_}, settings_,
                        {.handle =
                             [&](std::vector<op::HandleSignal> operations) {
                                 return coordinator.run_all(std::move(operations));
                             },
                         .bury =
                             [&](std::vector<op::BurySignal> operations) {
                                 return coordinator.run_all(std::move(operations));
                             }});
        run(pump, stop);
    });
}

void SignalThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
    if (!work_queue_->close(handler_grace))
        log::warn("pump.handlers_abandoned", {{"count", work_queue_->running()},
                                              {"next", "they run again after the lease ends"}});
    if (own_workers_) own_workers_->shutdown();
}

void SignalThread::committed(const Touched& touched) {
    for (const DeadLetterReason reason : touched.buried) metrics_.buried(reason);
    bool is_void = false;
    const auto life = current_life();
    for (const auto& [id, instance, held] : touched.instances) {
        if (!held || !instance) continue;
        // Leased by a life that ended during the round: the signal can be claimed again.
        is_void = is_void || (life && held->lease.node != *life);
        work_queue_->offer({.instance = id,
                            .lease = held->lease,
                            .id = held->signal,
                            .program = instance->definition.key,
                            .instance_row = instance,
                            .journal = held->journal},
                           WorkQueue::Origin::own);
        metrics_.work_held.Set(static_cast<double>(work_queue_->held()));
    }
    const bool is_free = touched.free_signals || is_void;
    if (!is_free && !touched.scheduled) return;
    const std::lock_guard lock(mutex_);
    beat_is_fresh_ = false;
    if (agenda_.note_due(is_free ? Moment::min() : *touched.scheduled)) wake_locked();
}

void SignalThread::outcome_unknown() {
    const std::lock_guard lock(mutex_);
    outcome_unknown_ = true;
    beat_is_fresh_ = false;
    if (agenda_.note_due(Moment::min())) wake_locked();
}

std::optional<NodeId> SignalThread::current_life() const {
    const std::lock_guard lock(mutex_);
    return life_ ? life_->id() : std::nullopt;
}

void SignalThread::look_now() {
    const std::lock_guard lock(mutex_);
    beat_is_fresh_ = false;
    if (agenda_.note_due(Moment::min())) wake_locked();
}

void SignalThread::expect_beat() {
    const std::lock_guard lock(mutex_);
    beat_is_fresh_ = !agenda_.is_looking() && !look_now_ && !failing_;
}

void SignalThread::apply_beat(const Beat& beat) {
    const std::lock_guard lock(mutex_);
    if (!std::exchange(beat_is_fresh_, false)) return;
    agenda_.plan(beat.claimable_at);
    deadline_.reset();
    if (beat.claimable_at) deadline_ = Steady::now() + (*beat.claimable_at - beat.now);
    // Without room a look is useless: a finished handler triggers the next one. A future deadline
    // stays, because other nodes do not announce released leases.
    if (full_ && deadline_ && *deadline_ <= Steady::now()) deadline_.reset();
    replanned_ = true;
    changed_.notify_one();
}

void SignalThread::drop(const NodeId& life) {
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(given_up_, [&](const Work& work) { return work.lease.node == life; });
    }
    work_queue_->drop(life);
    look_now();
}

Self SignalThread::self(const std::optional<NodeId>& life) const {
    return {.node = life, .programs = keys_, .has_room = work_queue_->has_room()};
}

std::size_t SignalThread::looks() const {
    const std::lock_guard lock(mutex_);
    return looks_;
}

void SignalThread::wake_locked() {
    look_now_ = true;
    changed_.notify_one();
}

// Runs on the handler's thread: no statement here.
void SignalThread::finished(const Work& work, const Result<void>& result) {
    metrics_.work_held.Set(static_cast<double>(work_queue_->held()));
    const std::size_t room = work_queue_->room_for_claims();
    const std::lock_guard lock(mutex_);
    if (!result) {
        metrics_.handler_failures.Increment();
        log::warn("handler.failed", {{"instance", to_string(work.instance)},
                                     {"attempt", work.attempts},
                                     {"message", result.error().message}});
        given_up_.push_back(work);
    }
    if (full_ && room > 0) wait_for_more_room();
    const bool is_wanted = starved_ && has_room(room);
    // Of ordered signals the instance's next one is claimable only now.
    if (!is_wanted && !is_ordered(work.type) && result) return;
    beat_is_fresh_ = false;
    starved_ = false;
    if (agenda_.note_due(Moment::min())) wake_locked();
}

void SignalThread::wait_for_more_room() {
    full_ = false;
    const auto soon = Steady::now() + time_for_more;
    deadline_ = std::min(deadline_.value_or(soon), soon);
    replanned_ = true;
    changed_.notify_one();
}

bool SignalThread::has_room(std::size_t room) const {
    return room >= (settings_.max_concurrent_handlers + 3) / 4;
}

void SignalThread::run(SignalPump& pump, std::stop_token stop) {
    Outage outage("signals");
    while (!stop.stop_requested()) {
        std::vector<Work> given_up;
        bool outcome_unknown = false;
        {
            const std::lock_guard lock(mutex_);
            look_now_ = false;
            beat_is_fresh_ = false;
            starved_ = false;
            full_ = false;
            agenda_.begin_look();
            given_up = std::exchange(given_up_, {});
            outcome_unknown = std::exchange(outcome_unknown_, false);
        }
        if (outcome_unknown) life_->end();
        for (const Work& work : given_up) pump.give_back(work);
        const auto looked = pump.look();
        if (!end_look(looked, outage)) sleep(stop);
    }
}

bool SignalThread::end_look(const Result<SignalPump::Looked>& looked, Outage& outage) {
    const std::lock_guard lock(mutex_);
    ++looks_;
    deadline_.reset();
    failing_ = !looked;
    if (!looked) {
        agenda_.end_look(std::nullopt);
        agenda_.plan(Moment::min());  // the retry is planned: no notification is earlier
        deadline_ = Steady::now() + outage.failed(looked.error());
        return false;
    }
    outage.over();
    starved_ = looked->starved;
    full_ = looked->full;
    if (looked->next) deadline_ = Steady::now() + looked->next->in;
    // A handler that finished during the look did not see that room was wanted.
    const std::size_t room = full_ ? work_queue_->room_for_claims() : 0;
    if (full_ && has_room(room)) {
        agenda_.end_look(std::nullopt);
        return true;
    }
    if (full_ && room > 0) wait_for_more_room();
    return agenda_.end_look(looked->next ? std::optional(looked->next->due) : std::nullopt);
}

// The end of receive_wait runs no statement: it only waits again.
void SignalThread::sleep(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested() && !look_now_) {
        const auto now = Steady::now();
        if (deadline_ && *deadline_ <= now) return;
        auto until = now + settings_.receive_wait;
        if (deadline_) until = std::min(until, *deadline_);
        replanned_ = false;
        changed_.wait_until(lock, stop, until, [this] { return look_now_ || replanned_; });
    }
}

}  // namespace holdfast
