// The work that is leased to this node, in order of arrival for each program, the programs in turn:
// one at a time per instance, a limited number at once. Handlers run on workers, never on the
// thread that offers (I43).
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "base/threads/worker_pool.h"
#include "pump/signals/programs.h"
#include "pump/signals/ready_lines.h"

namespace holdfast {

// Safe from any thread. Handlers may outlive it: their reports are ignored then.
class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
public:
    struct Options {
        std::size_t at_once = 256;  // running handlers
        std::size_t held = 10'000;  // limit for leases of the node to itself
        // Runs the item on a worker. False: none is available.
        std::function<bool(WorkerPool::WorkItem&)> post;
        // A handler is done. Called without a lock.
        std::function<void(const Work&, const Result<void>&)> finished;
    };
    enum class Origin { own, claimed };

    static std::shared_ptr<WorkQueue> make(const Programs& programs, Options options) {
        return std::shared_ptr<WorkQueue>(new WorkQueue(programs, std::move(options)));
    }

    // Starts calling handlers; until then work is only collected.
    void open();
    // Ignores work that it already holds under the same lease.
    void offer(Work work, Origin origin);
    // Whether the node should lease more to itself.
    bool has_room() const;
    // How many jobs the node should lease to itself: those that begin at once.
    std::size_t room_for_own_jobs() const;
    // How much may be claimed. A share is reserved, so that own work cannot take all the room.
    std::size_t room_for_claims() const;
    // How many suspects may be begun. One of them may crash the process, and work that runs beside
    // it with it: they are tried one at a time at first, and twice as many after each success (I42,
    // I43).
    std::size_t room_for_suspects() const;
    // Drops the work of a life that is over, and notifies the handlers.
    void drop(const NodeId& life);
    // Begins nothing more and waits for running handlers. False: some took longer than `grace`.
    bool close(std::chrono::milliseconds grace);

    std::size_t running() const;
    std::size_t held() const;

private:
    struct Item {
        Work work;
        Origin origin = Origin::own;
    };
    // The work of one instance.
    struct Line {
        std::optional<Item> running;  // only the head: the handler has the whole work
        std::vector<Item> waiting;    // in order; mostly one

        bool has(const Work& work) const;
    };

    WorkQueue(const Programs& programs, Options options)
        : programs_(programs), options_(std::move(options)) {}

    // The work that may begin now, marked as running.
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
    ReadyLines ready_;  // instances whose first work may begin; some may be gone by then
    std::size_t running_ = 0;
    std::size_t held_ = 0;           // running and waiting
    std::size_t claimed_ = 0;        // of them
    std::size_t suspects_ = 0;       // of them
    std::size_t suspect_limit_ = 1;  // suspects at once
    std::size_t reports_ = 0;        // calls of `finished` in progress
    bool open_ = false;
    bool closed_ = false;
};

}  // namespace holdfast
