// Requests that wait in memory for an instance to move, without a thread and without a statement
// of their own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/threads/worker_pool.h"
#include "http/wire/message.h"
#include "round/watchers.h"

namespace holdfast::http {

// Safe from any thread. Outlives the readers' threads and the coordinator's.
class LongPolls {
public:
    struct Question {
        InstanceId instance;
        std::chrono::milliseconds time;  // how long to wait at most
        // Reads, on a worker: once at the beginning and once after each commit that concerns it.
        // Absent: there is no answer yet.
        std::function<std::optional<Response>()> look;
        // Whether what was committed may be the answer; null: the instance was cleared.
        std::function<bool(const Instance*)> concerns;
        Response not_yet;  // when the time is over
    };

    LongPolls(Watchers& watchers, WorkerPool& readers, std::size_t limit);
    ~LongPolls();
    LongPolls(const LongPolls&) = delete;
    LongPolls& operator=(const LongPolls&) = delete;

    // 429 when too many wait, 503 once it drains.
    void ask(Question question, Respond respond);
    // Answers everybody with "not yet" and takes nobody new.
    void drain();

private:
    struct Poll;
    using Steady = std::chrono::steady_clock;
    using Open = std::multimap<Steady::time_point, std::shared_ptr<Poll>>;  // by deadline

    // Whether it is open now; else it was refused.
    std::optional<Response> open(const std::shared_ptr<Poll>& poll);
    void post_look(const std::shared_ptr<Poll>& poll);
    void look(const std::shared_ptr<Poll>& poll);
    void wake(const std::shared_ptr<Poll>& poll, const Instance* instance);
    // Its time is over: answers now, or lets the look that is under way decide.
    void expire(const std::shared_ptr<Poll>& poll);
    void finish(const std::shared_ptr<Poll>& poll, Response response);
    void run(const std::stop_token& stop);

    Watchers& watchers_;
    WorkerPool& readers_;
    const std::size_t limit_;
    std::mutex mutex_;
    std::condition_variable_any sooner_;  // another deadline is the first one
    Open open_;
    bool draining_ = false;
    std::jthread thread_;
};

}  // namespace holdfast::http
