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
    }
    for (const SignalRow& job : touched.held_jobs) {
        is_void = is_void || (life && job.leased_by != life);
        work_queue_->offer(work_of(job, instance_of(job, touched)), WorkQueue::Origin::own);
    }
    if (touched.leased) metrics_.work_held.Set(static_cast<double>(work_queue_->held()));
    const bool is_free = touched.free_signals || is_void;
    if (!is_free && !touched.scheduled) return;
    const std::lock_guard lock(mutex_);
    note_due(is_free ? Moment::min() : *touched.scheduled);
}

void SignalThread::outcome_unknown() {
    const std::lock_guard lock(mutex_);
    requests_.end_life = true;
    note_due(Moment::min());
}

std::optional<NodeId> SignalThread::current_life() const {
    const std::lock_guard lock(mutex_);
    return life_ ? life_->id() : std::nullopt;
}

void SignalThread::look_now() {
    const std::lock_guard lock(mutex_);
    note_due(Moment::min());
}

// While the store is away, heartbeats do not show what the last look left.
void SignalThread::expect_beat() {
    const std::lock_guard lock(mutex_);
    if (auto* sleeping = std::get_if<Sleeping>(&phase_)) sleeping->expects_beat = true;
}

void SignalThread::apply_beat(const Beat& beat) {
    const std::lock_guard lock(mutex_);
    auto* sleeping = std::get_if<Sleeping>(&phase_);
    if (!sleeping || !std::exchange(sleeping->expects_beat, false)) return;
    agenda_.plan(beat.claimable_at);
    Deadline next;
    if (beat.claimable_at) next = Steady::now() + (*beat.claimable_at - beat.now);
    // Without room a look is useless: a finished handler triggers the next one. A future deadline
    // stays, because other nodes do not announce released leases.
    if (sleeping->left == Left::for_want_of_room && next && *next <= Steady::now()) next.reset();
    sleeping->deadline = next;
    changed_.notify_one();
}

void SignalThread::drop(const NodeId& life) {
    {
        const std::lock_guard lock(mutex_);
        std::erase_if(requests_.give_back,
                      [&](const auto& item) { return item.first.lease.node == life; });
    }
    work_queue_->drop(life);
    look_now();
}

Self SignalThread::self(const std::optional<NodeId>& life) const {
    return {.node = life,
            .programs = keys_,
            .has_room = work_queue_->has_room(),
            .room_for_jobs = work_queue_->room_for_own_jobs()};
}

std::size_t SignalThread::looks() const {
    const std::lock_guard lock(mutex_);
    return looks_;
}

void SignalThread::note_due(Moment due) {
    if (auto* sleeping = std::get_if<Sleeping>(&phase_)) sleeping->expects_beat = false;
    if (!agenda_.note_due(due)) return;
    phase_ = Due{};
    changed_.notify_one();
}

// Runs on the handler's thread: no statement here.
void SignalThread::finished(const Work& work, const Result<void>& result) {
    metrics_.work_held.Set(static_cast<double>(work_queue_->held()));
    const std::size_t room = work_queue_->room_for_claims();
    const std::lock_guard lock(mutex_);
    if (!result && result.error().code != ErrorCode::conflict) {
        metrics_.handler_failures.Increment();
        log::warn("handler.failed", {{"instance", to_string(work.instance)},
                                     {"attempt", work.attempts},
                                     {"message", result.error().message}});
    }
    if (!result) requests_.give_back.emplace_back(work, result.error());
    auto* sleeping = std::get_if<Sleeping>(&phase_);
    const bool is_wanted = sleeping && sleeping->left != Left::nothing && has_room(room);
    if (sleeping && sleeping->left == Left::for_want_of_room && room > 0) {
        wait_for_more_room(*sleeping);
        changed_.notify_one();
    }
    // Of ordered signals the instance's next one is claimable only now.
    if (is_wanted || is_ordered(work.type) || !result) note_due(Moment::min());
}

void SignalThread::wait_for_more_room(Sleeping& sleeping) {
    sleeping.left = Left::something;
    const auto soon = Steady::now() + time_for_more;
    sleeping.deadline = std::min(sleeping.deadline.value_or(soon), soon);
}

bool SignalThread::has_room(std::size_t room) const {
    return room >= (settings_.max_concurrent_handlers + 3) / 4;
}

void SignalThread::run(SignalPump& pump, std::stop_token stop) {
    Outage outage("signals");
    while (!stop.stop_requested()) {
        const Requests requests = begin_look();
        if (requests.end_life) life_->end();
        for (const auto& [work, error] : requests.give_back) pump.give_back(work, error);
        end_look(pump.look(), outage);
        sleep(stop);
    }
}

SignalThread::Requests SignalThread::begin_look() {
    const std::lock_guard lock(mutex_);
    phase_ = Looking{};
    agenda_.begin_look();
    return std::exchange(requests_, {});
}

void SignalThread::end_look(const Result<SignalPump::Looked>& looked, Outage& outage) {
    const std::lock_guard lock(mutex_);
    ++looks_;
    if (looked) {
        outage.over();
        phase_ = phase_after(*looked);
        return;
    }
    agenda_.end_look(std::nullopt);
    agenda_.plan(Moment::min());  // the retry is planned: no notification is earlier
    phase_ = Failing{Steady::now() + outage.failed(looked.error())};
}

SignalThread::Phase SignalThread::phase_after(const SignalPump::Looked& looked) {
    Sleeping sleeping;
    if (looked.starved) sleeping.left = looked.full ? Left::for_want_of_room : Left::something;
    if (looked.next) sleeping.deadline = Steady::now() + looked.next->in;
    // A handler that finished during the look did not see that room was wanted.
    const std::size_t room = looked.full ? work_queue_->room_for_claims() : 0;
    if (looked.full && has_room(room)) {
        agenda_.end_look(std::nullopt);
        return Due{};
    }
    if (room > 0) wait_for_more_room(sleeping);
    const bool missed =
        agenda_.end_look(looked.next ? std::optional(looked.next->due) : std::nullopt);
    return missed ? Phase{Due{}} : Phase{sleeping};
}

SignalThread::Deadline SignalThread::deadline() const {
    struct Of {
        Deadline operator()(const Due&) const { return Steady::time_point::min(); }
        Deadline operator()(const Looking&) const { return std::nullopt; }
        Deadline operator()(const Sleeping& sleeping) const { return sleeping.deadline; }
        Deadline operator()(const Failing& failing) const { return failing.deadline; }
    };
    return std::visit(Of{}, phase_);
}

// The end of receive_wait runs no statement: it only waits again.
void SignalThread::sleep(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        const Deadline planned = deadline();
        const auto now = Steady::now();
        if (planned && *planned <= now) return;
        const auto longest = now + settings_.receive_wait;
        changed_.wait_until(lock, stop, std::min(planned.value_or(longest), longest),
                            [&] { return deadline() != planned; });
    }
}

}  // namespace holdfast
