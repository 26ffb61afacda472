// The work that this node holds: one at a time per instance, so many at once, in the order of
// arrival. Handlers run on workers, never on the thread that offers (I43).
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/threads/worker_pool.h"
#include "pump/signals/programs.h"

namespace holdfast {

// Safe from any thread. Handlers may outlive it: what they report then is not heard.
class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
public:
    struct Options {
        std::size_t at_once = 256;  // in the hands of handlers
        std::size_t held = 10'000;  // that a node leases to itself
        // Runs a job on a worker. False: there is none.
        std::function<bool(WorkerPool::WorkItem&)> post;
        // A handler is done with it. Called without a lock.
        std::function<void(const Work&, const Result<void>&)> finished;
    };
    enum class Origin { own, claimed };

    static std::shared_ptr<WorkQueue> make(const Programs& programs, Options options) {
        return std::shared_ptr<WorkQueue>(new WorkQueue(programs, std::move(options)));
    }

    // From now on handlers are called; until then it only collects.
    void open();
    // What is held already, under the same lease, is not taken twice.
    void offer(Work work, Origin origin);
    // Whether the node should lease more to itself.
    bool has_room() const;
    // How much may be claimed. Own work never keeps all of the room from others' work.
    std::size_t room_for_claims() const;
    // How many suspects may be begun. One of them may end the
    // process: at first they are tried one at a time, and with each that comes through twice as
    // many, so that it does not take its neighbours along (I42, I43).
    std::size_t room_for_suspects() const;
    // Forgets what was held under a life that is over, and tells the handlers.
    void drop(const NodeId& life);
    // Begins nothing more and waits for what is in hand. False: some of it took too long.
    bool close(std::chrono::milliseconds grace);

    std::size_t running() const;
    std::size_t held() const;

private:
    struct Item {
        Work work;
        Origin origin = Origin::own;
    };
    // What is held of one instance.
    struct Line {
        std::optional<Item> running;  // the head: the handler has the rest
        std::vector<Item> waiting;    // in order; mostly one

        bool has(const Work& work) const;
    };

    WorkQueue(const Programs& programs, Options options)
        : programs_(programs), options_(std::move(options)) {}

    // Those that may begin now, marked as in hand.
    std::vector<Work> take_ready();
    void begin(std::vector<Work> ready);
    void call_handler(Work work);
    void finish(const Work& work, const Result<void>& result);
    void forget(const Item& item);

    const Programs& programs_;
    const Options options_;
    mutable std::mutex mutex_;
    std::condition_variable idle_;
    std::unordered_map<InstanceId, Line> lines_;
    std::deque<InstanceId> ready_;  // whose first may begin; some may be gone by then
    std::size_t running_ = 0;
    std::size_t held_ = 0;      // in hand and waiting
    std::size_t claimed_ = 0;   // of them
    std::size_t suspects_ = 0;  // of them
    std::size_t suspect_limit_ = 1;     // how many suspects at once
    std::size_t reports_ = 0;   // under way to `finished`
    bool open_ = false;
    bool closed_ = false;
};

}  // namespace holdfast
