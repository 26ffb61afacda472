// Runs flows: takes the work that the pump brings, keeps live flows while they wait, and lets them
// replay when they were evicted or ran elsewhere.
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

namespace holdfast {

class LiveFlow;

struct RunnerOptions {
    std::size_t most_live = 2'048;  // flows that are kept while they wait; the others replay
    std::size_t patience = 6;       // tries of what the store cannot take right now
};

class Runner final : public SignalHandler {
public:
    struct Parts {
        Store& store;
        Coordinator& coordinator;
        IdSource& ids;
        // Runs a job on a worker, soon. User code runs nowhere else.
        std::function<void(WorkerPool::WorkItem)> post;
        const Clock& clock;
        Deadlines* deadlines = nullptr;     // absent: no step is ever told to stop
        JournalReader* journals = nullptr;  // absent: each is read where it is needed
    };

    explicit Runner(RunnerOptions options = {}) : options_(options) {}
    ~Runner() override;

    // Before it is started. False: there is one of that name.
    bool add(flow::Code code);
    const std::map<std::string, flow::Code>& codes() const { return codes_; }
    const flow::Code* find(const std::string& name) const;

    void start(Parts parts) { parts_.emplace(std::move(parts)); }

    void handle(Work work, Done done) override;
    void drop(const NodeId& life) override;

    // How many flows are in memory.
    std::size_t live() const;
    // Forgets all that wait; they replay.
    void evict_all();

private:
    friend class LiveFlow;

    struct Place {
        std::shared_ptr<LiveFlow> flow;
        std::optional<std::list<InstanceId>::iterator> resting;  // absent: it is at work
    };

    const Parts& parts() const { return *parts_; }
    const RunnerOptions& options() const { return options_; }
    // A flow that waits may be evicted from now on.
    void rested(const InstanceId& id);
    void gone(const InstanceId& id);

    const RunnerOptions options_;
    std::map<std::string, flow::Code> codes_;
    std::optional<Parts> parts_;
    mutable std::mutex mutex_;
    std::unordered_map<InstanceId, Place> places_;
    std::list<InstanceId> resting_;  // longest first
    // Whether ends of steps are taken for recorded. Not where the store's clock lags behind ours:
    // it would record another time.
    std::atomic<bool> assumes_ = true;
};

}  // namespace holdfast
