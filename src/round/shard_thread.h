// Runs the rounds of a shard on a thread whenever something is queued.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "round/answer_thread.h"

namespace holdfast {

class ShardThread {
public:
    ShardThread(const std::string& number, Shard& shard);
    ~ShardThread();

    // Something was queued.
    void wake();
    // Runs and answers what is queued, then ends both threads. The shard must be closed.
    void drain();

private:
    void run();
    // False: draining, and no work was signalled.
    bool wait_for_work();

    Shard& shard_;
    AnswerThread answers_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::atomic<bool> work_ = false;
    bool draining_ = false;
    std::jthread thread_;
};

}  // namespace holdfast
