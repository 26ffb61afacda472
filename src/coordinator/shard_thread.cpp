#include "coordinator/shard_thread.h"

#include "base/threads.h"

namespace holdfast {

ShardThread::ShardThread(const std::string& name, Shard& shard)
    : shard_(shard), thread_(named_thread(name, [this](std::stop_token) { run(); })) {}

ShardThread::~ShardThread() {
    shard_.close();
    drain();
}

void ShardThread::wake() {
    {
        const std::lock_guard lock(mutex_);
        work_ = true;
    }
    changed_.notify_one();
}

void ShardThread::drain() {
    {
        const std::lock_guard lock(mutex_);
        draining_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void ShardThread::run() {
    const auto run_all = [this] {
        while (shard_.run_round()) {
        }
    };
    while (wait_for_work()) run_all();
    run_all();  // what was queued before the shard closed, whether or not its wake-up came
}

bool ShardThread::wait_for_work() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return work_ || draining_; });
    return std::exchange(work_, false);
}

}  // namespace holdfast
