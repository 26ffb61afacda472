// Long polls: requests that wait in memory for a change of an instance. A waiting request holds no
// thread and runs no SQL. It ends when its client leaves.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "base/threads/worker_pool.h"
#include "http/access/shares.h"
#include "http/wire/message.h"
#include "round/watchers.h"

namespace holdfast::http {

// Safe from any thread. Outlives the readers' threads and the coordinator's.
class LongPolls {
public:
    struct Spec {
        InstanceId instance;
        std::chrono::milliseconds time;  // how long to wait at most
        // Reads the store on a worker thread: once at the beginning, after each relevant commit
        // and when the time is over, since another node's announcement may be lost. Absent: keep
        // waiting.
        std::function<std::optional<Response>()> check;
        // Whether a committed instance may end the poll; null: the instance was cleared.
        std::function<bool(const Instance*)> is_relevant;
        Response on_timeout;
        Shares::Taken share = {};  // of the credential; given back with the answer
    };

    LongPolls(Watchers& watchers, WorkerPool& readers, std::size_t limit);
    ~LongPolls();
    LongPolls(const LongPolls&) = delete;
    LongPolls& operator=(const LongPolls&) = delete;

    // 429: too many polls are open; 503: draining.
    void start(Spec spec, Respond respond);
    // Ends every open poll after one more check, and refuses new ones.
    void drain();
    // How many are not answered yet.
    std::size_t count() const { return count_; }

private:
    struct Poll;
    using Steady = std::chrono::steady_clock;
    using Open = std::multimap<Steady::time_point, std::shared_ptr<Poll>>;  // by deadline

    // Absent: the poll is open. Otherwise the refusal.
    std::optional<Response> open(const std::shared_ptr<Poll>& poll);
    void post_check(const std::shared_ptr<Poll>& poll);
    void check(const std::shared_ptr<Poll>& poll);
    // False: it has been answered.
    static bool begin_check(Poll& poll);
    void wake(const std::shared_ptr<Poll>& poll, const Instance* instance);
    // The poll ends: it is answered by a check that begins after `end`.
    void expire(const std::shared_ptr<Poll>& poll, Steady::time_point end);
    void finish(const std::shared_ptr<Poll>& poll, Response response);
    void run(const std::stop_token& stop);

    Watchers& watchers_;
    WorkerPool& readers_;
    const std::size_t limit_;
    std::atomic<std::size_t> count_ = 0;
    std::mutex mutex_;
    std::condition_variable_any sooner_;  // the earliest deadline has changed
    Open open_;
    bool draining_ = false;
    std::jthread thread_;
};

}  // namespace holdfast::http
