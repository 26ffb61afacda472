// One queue and one writer: takes what queued up, folds it, commits once, answers in order. Who
// calls it, a thread of its own or a simulation, is decided elsewhere.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/ids/id_source.h"
#include "round/active_instances.h"
#include "round/commit_listener.h"
#include "round/metrics.h"
#include "round/queued_operation.h"
#include "round/round_trace.h"
#include "store/store.h"

namespace holdfast {

struct ShardLimits {
    std::size_t round = 256;     // operations in one commit
    std::size_t queue = 16'384;  // operations waiting; more is 429
};

struct ShardOptions {
    std::string node = "node";  // shown on what it executes
    // What this node may lease to itself, asked once for every fold; the same answer until the
    // round is over. Absent: nothing.
    std::function<Self()> self;
    ShardLimits limits;
    std::vector<CommitListener*> listeners;
    RoundTrace* trace = nullptr;
};

// What is to be told once a round is durable, or has failed: first to those who listen, then to
// those who submitted.
struct RoundEnd {
    Touched touched;
    std::vector<std::unique_ptr<QueuedOperation>> operations;  // decided, in order
    std::optional<Error> failure;                              // none of them took effect
    Moment decided_at;
};

class Shard {
public:
    Shard(std::unique_ptr<Writer> writer, IdSource& ids, CoordinatorMetrics& metrics,
          ShardOptions options);

    using Group = std::vector<std::unique_ptr<QueuedOperation>>;

    // Queues a group that shares one transaction (up to the round limit). False: full or closed;
    // the group is untouched and `why` says which. Safe from any thread.
    bool push(Group& group, ErrorCode& why);
    // Refuses what comes from now on.
    void close();
    // Runs one round of what is queued. False: nothing was. One thread at a time.
    bool run_round();
    // Who tells: gets the end of every round in order and calls `tell`, here or on another thread,
    // one after the other. Unless set, they are told on the thread that runs the rounds.
    void set_publisher(std::function<void(RoundEnd)> publish) { publish_ = std::move(publish); }
    void tell(RoundEnd end);

    std::shared_ptr<const Instance> active(const InstanceId& id) const { return active_.find(id); }

private:
    Group next_round();
    void run(std::span<std::unique_ptr<QueuedOperation>> operations);
    // Folds the operations over the view. One that wants more, and all after it in the same order,
    // are left out.
    void fold(View& view, std::span<std::unique_ptr<QueuedOperation>> operations);
    // Puts what a committed round left out at the head of the queue.
    void put_back(std::span<std::unique_ptr<QueuedOperation>> operations);
    Result<void> commit(std::span<std::unique_ptr<QueuedOperation>> operations);
    // Commits once. Absent: the round's fate is unknown.
    Result<std::optional<Committed>> attempt(
        const Round& round, std::span<std::unique_ptr<QueuedOperation>> operations);
    // Whether a round whose commit was lost is durable after all.
    Result<CommitStatus> ask_commit_status(const RoundId& round);
    void remember();
    void take_touched(const View& view);
    // The round may be there or not.
    void notify_outcome_unknown();
    static void answer(std::span<const std::unique_ptr<QueuedOperation>> operations);
    // Takes the decided ones out.
    RoundEnd end_of(std::span<std::unique_ptr<QueuedOperation>> operations);

    const ShardOptions options_;
    std::unique_ptr<Writer> writer_;
    IdSource& ids_;
    CoordinatorMetrics& metrics_;
    ActiveInstances active_{1'024};

    // What the last fold left, published once it has committed.
    Touched touched_;
    std::vector<ConflictRow> conflicts_;
    std::vector<std::optional<LoadMore>> left_out_;  // by operation; those that run again
    std::vector<char> decided_;
    Moment decided_at_;
    std::function<void(RoundEnd)> publish_;

    std::mutex mutex_;
    std::deque<Group> queue_;
    std::size_t queued_ = 0;
    bool closed_ = false;
};

}  // namespace holdfast
