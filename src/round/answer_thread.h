// Notifies listeners and answers submitters of a shard's finished rounds on its own thread, so that
// the next round need not wait for it.
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

    // Called on the round thread. A small round is answered right there, unless earlier rounds are
    // still unanswered: passing it to the other thread would take longer. Order is kept either way.
    void take(RoundEnd end);
    // Answers the rounds it has taken, then ends the thread.
    void finish();

private:
    void run();

    Shard& shard_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<RoundEnd> waiting_;
    bool answering_ = false;
    bool closing_ = false;
    std::jthread thread_;
};

}  // namespace holdfast
