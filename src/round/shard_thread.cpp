#include "round/shard_thread.h"

#include "base/threads/threads.h"

namespace holdfast {

ShardThread::ShardThread(const std::string& number, Shard& shard)
    : shard_(shard), answers_("answer-" + number, shard) {
    shard_.set_publisher([this](RoundEnd end) { answers_.take(std::move(end)); });
    thread_ = named_thread("round-" + number, [this](std::stop_token) { run(); });
}

ShardThread::~ShardThread() {
    shard_.close();
    drain();
}

void ShardThread::wake() {
    if (work_.exchange(true)) return;  // already signalled
    {
        const std::lock_guard lock(mutex_);  // not between its check and its wait
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
    answers_.finish();
}

void ShardThread::run() {
    const auto run_all = [this] {
        while (shard_.run_round()) {
        }
    };
    while (wait_for_work()) run_all();
    run_all();  // groups queued before the shard closed whose wake-up came too late
}

bool ShardThread::wait_for_work() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return work_ || (draining_ && !shard_.is_computing()); });
    return work_.exchange(false);
}

}  // namespace holdfast
