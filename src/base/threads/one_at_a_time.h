// Runs costly work of one kind one after the other, on threads that it shares with other work and
// of which it never takes more than one.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

namespace holdfast {

// Safe from any thread. Outlives the threads that run its work.
class OneAtATime {
public:
    using Work = std::move_only_function<void()>;
    // Has work run on one of the shared threads, not on the caller's. False: no room for it.
    using Run = std::function<bool(Work)>;

    OneAtATime(Run run, std::size_t most_waiting)
        : run_(std::move(run)), most_waiting_(most_waiting) {}

    // False: too many wait, or it is closed, and the work was not taken.
    bool post(Work work) {
        const std::lock_guard lock(mutex_);
        if (closed_ || waiting_.size() >= most_waiting_) return false;
        if (!busy_ && !run_([this] { run_waiting(); })) return false;
        busy_ = true;
        waiting_.push_back(std::move(work));
        return true;
    }

    // Takes no more, drops what waits, and waits for what runs.
    void close() {
        std::unique_lock lock(mutex_);
        closed_ = true;
        waiting_.clear();
        idle_.wait(lock, [this] { return !busy_; });
    }

private:
    void run_waiting() {
        for (;;) {
            Work next;
            {
                const std::lock_guard lock(mutex_);
                busy_ = !waiting_.empty();
                if (!busy_) return idle_.notify_all();
                next = std::move(waiting_.front());
                waiting_.pop_front();
            }
            next();
        }
    }

    const Run run_;
    const std::size_t most_waiting_;
    std::mutex mutex_;
    std::deque<Work> waiting_;
    bool busy_ = false;
    bool closed_ = false;
    std::condition_variable idle_;
};

}  // namespace holdfast
