#include "round/answer_thread.h"

#include "base/threads/threads.h"

namespace holdfast {
namespace {

constexpr std::size_t small_round = 8;  // operations
constexpr std::size_t max_waiting = 4;  // rounds; beyond that the round thread blocks

}  // namespace

AnswerThread::AnswerThread(const std::string& name, Shard& shard)
    : shard_(shard), thread_(named_thread(name, [this](std::stop_token) { run(); })) {}

void AnswerThread::take(RoundEnd end) {
    std::unique_lock lock(mutex_);
    if (waiting_.empty() && !answering_ && end.operations.size() <= small_round) {
        lock.unlock();
        return shard_.answer_round(std::move(end));
    }
    changed_.wait(lock, [this] { return waiting_.size() < max_waiting; });
    waiting_.push_back(std::move(end));
    lock.unlock();
    changed_.notify_all();
}

void AnswerThread::finish() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

void AnswerThread::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        RoundEnd end = std::move(waiting_.front());
        waiting_.pop_front();
        answering_ = true;
        lock.unlock();
        changed_.notify_all();
        shard_.answer_round(std::move(end));
        lock.lock();
        answering_ = false;
    }
}

}  // namespace holdfast
