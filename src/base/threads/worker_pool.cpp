#include "base/threads/worker_pool.h"

namespace holdfast {

WorkerPool::WorkerPool(const std::string& name, std::size_t threads, std::size_t queue_limit,
                       Priority priority)
    : queue_limit_(queue_limit), name_(name), priority_(priority) {
    for (std::size_t i = 0; i < threads; ++i) add_thread();
}

void WorkerPool::add_thread() {
    threads_.push_back(named_thread(
        name_ + "-" + std::to_string(threads_.size()), [this](std::stop_token) { run(); },
        priority_));
}

void WorkerPool::replace_stuck() {
    const std::lock_guard lock(mutex_);
    if (!closing_) add_thread();
}

void WorkerPool::dismiss_replacement() {
    {
        const std::lock_guard lock(mutex_);
        ++surplus_;
    }
    wake_.notify_all();
}

void WorkerPool::shutdown() {
    Queue dropped;
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
        for (Queued& queued : left_) queued.place = Queued::Place::nowhere;
        dropped.swap(left_);
    }
    wake_.notify_all();
    threads_.clear();
}

bool WorkerPool::post(WorkItem& item, std::stop_token gone) {
    Queue one(1);
    Queue dropped;
    const auto queued = one.begin();
    if (gone.stop_possible())
        queued->on_gone.emplace(std::move(gone), [this, queued] { leave(queued); });
    {
        const std::lock_guard lock(mutex_);
        if (closing_ || items_.size() >= queue_limit_) return false;
        queued->item = std::move(item);
        if (queued->is_gone) {
            add_left_locked(one, queued, dropped);
        } else {
            queued->place = Queued::Place::queue;
            items_.splice(items_.end(), one);
        }
        if (!wake_locked()) return true;
    }
    wake_.notify_one();
    return true;
}

void WorkerPool::leave(Queue::iterator queued) {
    Queue dropped;
    const std::lock_guard lock(mutex_);
    queued->is_gone = true;
    if (queued->place == Queued::Place::queue) add_left_locked(items_, queued, dropped);
}

void WorkerPool::add_left_locked(Queue& from, Queue::iterator queued, Queue& dropped) {
    queued->place = Queued::Place::left;
    left_.splice(left_.end(), from, queued);
    if (left_.size() <= queue_limit_) return;
    left_.front().place = Queued::Place::nowhere;
    dropped.splice(dropped.end(), left_, left_.begin());
}

WorkerPool::Queue WorkerPool::take_locked() {
    Queue one;
    Queue& from = items_.empty() ? left_ : items_;
    if (from.empty()) return one;
    from.front().place = Queued::Place::nowhere;
    one.splice(one.end(), from, from.begin());
    return one;
}

bool WorkerPool::wake_locked() {
    if ((items_.empty() && left_.empty()) || idle_ == 0) return false;
    return !std::exchange(waking_, true);
}

void WorkerPool::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        Queue taken;
        for (;;) {
            if (surplus_ > 0) {
                --surplus_;
                return;
            }
            taken = take_locked();
            if (!taken.empty()) break;
            if (closing_) return;
            ++idle_;
            wake_.wait(lock);
            --idle_;
            waking_ = false;
        }
        const bool more = wake_locked();
        lock.unlock();
        if (more) wake_.notify_one();
        taken.front().item();
        taken.clear();
        lock.lock();
    }
}

}  // namespace holdfast
