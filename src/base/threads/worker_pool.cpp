#include "base/threads/worker_pool.h"

#include "base/threads/threads.h"

namespace holdfast {

WorkerPool::WorkerPool(const std::string& name, std::size_t threads, std::size_t queue_limit)
    : queue_limit_(queue_limit), name_(name) {
    for (std::size_t i = 0; i < threads; ++i) add_thread();
}

void WorkerPool::add_thread() {
    threads_.push_back(named_thread(name_ + "-" + std::to_string(threads_.size()),
                                    [this](std::stop_token) { run(); }));
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
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    wake_.notify_all();
    threads_.clear();
}

bool WorkerPool::post(WorkItem& item) {
    {
        const std::lock_guard lock(mutex_);
        if (closing_ || items_.size() >= queue_limit_) return false;
        items_.push_back(std::move(item));
        if (!wake_locked()) return true;
    }
    wake_.notify_one();
    return true;
}

bool WorkerPool::wake_locked() {
    if (items_.empty() || idle_ == 0) return false;
    return !std::exchange(waking_, true);
}

void WorkerPool::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        for (;;) {
            if (surplus_ > 0) {
                --surplus_;
                return;
            }
            if (!items_.empty()) break;
            if (closing_) return;
            ++idle_;
            wake_.wait(lock);
            --idle_;
            waking_ = false;
        }
        WorkItem item = std::move(items_.front());
        items_.pop_front();
        const bool more = wake_locked();
        lock.unlock();
        if (more) wake_.notify_one();
        item();
        item = {};
        lock.lock();
    }
}

}  // namespace holdfast
