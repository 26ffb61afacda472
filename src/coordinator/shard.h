// One thread, one writer, one queue: takes what queued up, folds it, commits once, answers in
// order.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/id_source.h"
#include "coordinator/active_instances.h"
#include "coordinator/metrics.h"
#include "coordinator/task.h"
#include "store/store.h"

namespace holdfast {

struct ShardLimits {
    std::size_t round = 256;     // operations in one commit
    std::size_t queue = 16'384;  // operations waiting; more is 429
};

class Shard {
public:
    Shard(const std::string& name, std::unique_ptr<Writer> writer, IdSource& ids,
          CoordinatorMetrics& metrics, ShardLimits limits);
    ~Shard();

    using Group = std::vector<std::unique_ptr<Task>>;

    // Queues a group that shares one transaction (up to the round limit). False: full or shutting
    // down; the group is untouched and `why` says which.
    bool push(Group& group, ErrorCode& why);
    // Finishes what is queued, then ends the thread.
    void shutdown();

    std::optional<Instance> active(const InstanceId& id) const { return active_.find(id); }

private:
    void run();
    // Empty: shut down and drained.
    Group next_round();
    void run_round(std::span<std::unique_ptr<Task>> tasks);
    Result<void> commit(std::span<std::unique_ptr<Task>> tasks);
    // Commits once. Absent: the round's fate is unknown.
    Result<std::optional<Committed>> attempt(const Round& round,
                                             std::span<std::unique_ptr<Task>> tasks);
    // Whether a round whose commit was lost is durable after all.
    Result<Fate> learn_fate(const RoundId& round);
    void remember();

    const ShardLimits limits_;
    std::unique_ptr<Writer> writer_;
    IdSource& ids_;
    CoordinatorMetrics& metrics_;
    ActiveInstances active_{10'000};

    // What the last fold left, published once it has committed.
    std::vector<std::pair<InstanceId, std::optional<Instance>>> touched_;
    std::vector<ConflictRow> conflicts_;

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<Group> queue_;
    std::size_t queued_ = 0;
    bool closing_ = false;

    std::jthread thread_;
};

}  // namespace holdfast
