#include "pump/nodes/announcer.h"

#include "base/log.h"
#include "base/threads/threads.h"
#include "pump/timers/agenda.h"

namespace holdfast {
namespace {

// In one message: PostgreSQL takes 8,000 bytes.
constexpr std::size_t most_named = 128;
// Waiting to be sent. Beyond them everyone looks at everything, which costs them much more.
constexpr std::size_t most_waiting = 16'384;

}  // namespace

void Announcer::start(Hints& store, PumpMetrics& metrics) {
    thread_ = named_thread(
        "announce", [&, this](std::stop_token stop) { run(store, metrics, std::move(stop)); });
}

void Announcer::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void Announcer::committed(const Touched& touched) {
    const auto due = earliest_due(touched);
    const std::lock_guard lock(mutex_);
    if (is_alone_) return;
    const bool tells = touched.told && followed_ > 0;
    bool changed = touched.free_signals || !touched.awoken.empty() || (tells && !changes_);
    changes_ = changes_ || tells;
    signals_ = signals_ || touched.free_signals;
    for (const InstanceId& id : touched.awoken) {
        if (awoken_.size() < most_waiting)
            awoken_.insert(id);
        else
            everyone_ = everyone_ || !awoken_.contains(id);
    }
    // This node fires its own timers; the others need only the earliest, in case it dies.
    if (due && (!announced_due_ || *due < *announced_due_)) {
        due_ = announced_due_ = due;
        changed = true;
    }
    if (changed) changed_.notify_one();
}

void Announcer::set_other_nodes(std::size_t count) {
    const std::lock_guard lock(mutex_);
    is_alone_ = count == 0;
    announced_due_.reset();
}

void Announcer::saw_other_node() {
    const std::lock_guard lock(mutex_);
    is_alone_ = false;
}

void Announcer::announce_self() {
    const std::lock_guard lock(mutex_);
    signals_ = true;
    changed_.notify_one();
}

void Announcer::set_followed(Following others) {
    const std::lock_guard lock(mutex_);
    // What was committed before was announced to nobody.
    const bool is_new = others == Following::yes && followed_ == 0;
    followed_ = others == Following::yes ? 2 : std::max(0, followed_ - 1);
    changes_ = changes_ || is_new;
    if (is_new) changed_.notify_one();
}

void Announcer::announce_follower() {
    const std::lock_guard lock(mutex_);
    follows_ = true;
    changed_.notify_one();
}

Announcement Announcer::take_locked() {
    Announcement next{.signals = std::exchange(signals_, false),
                      .due = std::exchange(due_, std::nullopt),
                      .everyone = std::exchange(everyone_, false),
                      .changes = std::exchange(changes_, false),
                      .follows = std::exchange(follows_, false)};
    if (next.everyone) {
        awoken_.clear();
        return next;
    }
    auto last = awoken_.begin();
    std::advance(last, std::min(awoken_.size(), most_named));
    next.awaken.assign(awoken_.begin(), last);
    awoken_.erase(awoken_.begin(), last);
    return next;
}

bool Announcer::has_news_locked() const {
    return signals_ || due_ || everyone_ || changes_ || follows_ || !awoken_.empty();
}

// A failed announcement is not retried: it is a hint, and the others' heartbeats find the same.
void Announcer::run(Hints& store, PumpMetrics& metrics, std::stop_token stop) {
    bool failing = false;
    while (!stop.stop_requested()) {
        Announcement next;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, stop, [this] { return has_news_locked(); });
            if (stop.stop_requested()) return;
            next = take_locked();
        }
        const auto sent = store.announce(next);
        if (sent) metrics.announcements_sent.Increment();
        if (!sent && !failing) log::warn("announce.failed", {{"message", sent.error().message}});
        failing = !sent;
    }
}

}  // namespace holdfast
