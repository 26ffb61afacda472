// A thread that runs a shard whenever something is queued.
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
    // Finishes what is queued, then ends the thread. The shard must be closed.
    void drain();

private:
    void run();
    // False: nothing will come any more.
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
