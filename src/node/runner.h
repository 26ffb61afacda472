// Runs flows: handles the work that the pump claims, keeps waiting flows in memory, and replays
// flows that were evicted or ran on another node.
#pragma once

#include <atomic>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>

#include "base/ids/id_source.h"
#include "base/threads/worker_pool.h"
#include "base/time/clock.h"
#include "holdfast/code.h"
#include "node/deadlines.h"
#include "node/journal_reader.h"
#include "pump/signals/signal_handler.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast {

class LiveFlow;

struct RunnerOptions {
    std::size_t most_live = 2'048;  // waiting flows kept in memory; the others replay
    std::size_t store_retries = 6;  // of operations that the store did not accept
};

class Runner final : public SignalHandler {
public:
    struct Parts {
        Store& store;
        Coordinator& coordinator;
        IdSource& ids;
        // Queues an item for a worker. User code runs on workers only.
        std::function<void(WorkerPool::WorkItem)> post;
        // A step does not return, and: it returned. Empty: nobody counts them.
        std::function<void()> step_stuck = {};
        std::function<void()> stuck_step_returned = {};
        const Clock& clock;
        Deadlines* deadlines = nullptr;     // null: timeouts of steps are ignored
        JournalReader* journals = nullptr;  // null: journals are read on the calling thread
        std::size_t event_queue = 10'000;   // limit of queued events that flows send
        std::size_t event_queue_bytes = std::size_t{64} << 20;
    };

    explicit Runner(RunnerOptions options = {}) : options_(options) {}
    ~Runner() override;

    // Only before start. False: the name is taken.
    bool add(flow::Code code);
    const std::map<std::string, flow::Code>& codes() const { return codes_; }
    const flow::Code* find(const std::string& name) const;

    void start(Parts parts) { parts_.emplace(std::move(parts)); }

    void handle(Work work, Done done) override;
    void drop(const NodeId& life) override;

    // Gives the leases back of flows with a step that runs longer than this, or than twice its own
    // timeout. What the step returns is ignored.
    void give_up_hung(std::chrono::microseconds limit);

    // The number of flows in memory.
    std::size_t live() const;
    // Drops all waiting flows from memory; they replay.
    void evict_all();

private:
    friend class LiveFlow;

    struct Entry {
        std::shared_ptr<LiveFlow> flow;
        std::optional<std::list<InstanceId>::iterator> waiting;  // absent: it is running
    };

    const Parts& parts() const { return *parts_; }
    std::vector<std::shared_ptr<LiveFlow>> running() const;
    const RunnerOptions& options() const { return options_; }
    // The flow waits and may be evicted from now on.
    void set_waiting(const InstanceId& id);
    void remove(const LiveFlow& flow);

    const RunnerOptions options_;
    std::map<std::string, flow::Code> codes_;
    std::optional<Parts> parts_;
    mutable std::mutex mutex_;
    std::unordered_map<InstanceId, Entry> entries_;
    std::list<InstanceId> waiting_;  // longest first
    // Whether a flow may assume that the end of a step is recorded before the commit. Off if the
    // store's clock lags behind ours, because the store would record another time.
    std::atomic<bool> assumes_ = true;
};

}  // namespace holdfast
