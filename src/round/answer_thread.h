// Tells the news of a shard's rounds on a thread of its own, so that the next round need not wait
// until all have been woken who waited for the last.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "round/shard.h"

namespace holdfast {

class AnswerThread {
public:
    AnswerThread(const std::string& name, Shard& shard);
    ~AnswerThread() { finish(); }

    // RoundEnd of few operations are told at once, on this thread: handing them over would take
    // longer. In order all the same.
    void take(RoundEnd end);
    // Tells what it was given, then ends the thread.
    void finish();

private:
    void run();

    Shard& shard_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<RoundEnd> waiting_;
    bool telling_ = false;
    bool closing_ = false;
    std::jthread thread_;
};

}  // namespace holdfast
