// One queue and one writer: folds the queued operations into a round, commits once, answers in
// order. Its owner runs it: a ShardThread or a simulation.
#pragma once

#include <deque>
#include <functional>
#include <map>
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
#include "store/rounds.h"

namespace holdfast {

struct ShardLimits {
    std::size_t round = 256;                         // operations in one commit
    std::size_t round_bytes = std::size_t{1} << 20;  // that they carry; a larger one is alone
    std::size_t queue = 16'384;  // waiting operations; beyond that they are refused (429)
};

// Runs work on another thread. False: no room for it, and the work was not taken.
using RunOutside = std::function<bool(std::move_only_function<void()>)>;

struct ShardOptions {
    std::string node = "node";  // name shown on the instances that it executes
    // What this node may lease to itself, called once per fold. Absent: nothing.
    std::function<Self()> self;
    ShardLimits limits;
    std::vector<CommitListener*> listeners;
    RoundTrace* trace = nullptr;
    // Absent: computations run on the thread of the rounds.
    RunOutside outside;
};

// The end of a round, durable or failed: first the listeners are notified, then the submitters are
// answered.
struct RoundEnd {
    Touched touched;
    std::vector<std::unique_ptr<QueuedOperation>> operations;  // decided, in order
    // Of all operations. outcome_unknown: they may have taken effect; else they have not.
    std::optional<Error> failure;
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
    // Refuses new groups from now on.
    void close();
    // Whether operations wait for computations outside of the rounds; they come back with a
    // wake-up.
    bool is_computing() const;
    // Before the first round.
    void set_outside(RunOutside outside) { outside_ = std::move(outside); }
    // Before the first round: where large operations end once they are answered, as that takes
    // long. Unless set, they end where they are answered.
    void set_dispose(RunOutside dispose) { dispose_ = std::move(dispose); }
    // Called from any thread when operations come back to the queue.
    void set_waker(std::function<void()> wake) { wake_ = std::move(wake); }
    // Runs one round of queued operations. False: the queue was empty. One thread at a time.
    bool run_round();
    // `publish` gets the end of every round in order and must pass each to answer_round, one after
    // the other, on any thread. Unless set, rounds are answered on the thread that runs them.
    void set_publisher(std::function<void(RoundEnd)> publish) { publish_ = std::move(publish); }
    void answer_round(RoundEnd end);

    // Why the store did not commit the last round; absent: it did. Safe from any thread.
    std::optional<Error> write_failure() const;
    void set_write_failure(std::optional<Error> failure);

    // Safe from any thread.
    std::shared_ptr<const Instance> active(const InstanceId& id) const { return active_.find(id); }
    void forget_active(const InstanceId& id) { active_.forget(id); }
    void forget_active() { active_.forget_all(); }

private:
    Group next_round();
    // Moves the group into the round. Keeps what waits behind an operation that is away.
    void take(Group group, Group& round);
    void run(std::span<std::unique_ptr<QueuedOperation>> operations);
    // Folds the operations over the view. Leaves out those that need more reads, and later ones
    // with the same order.
    void fold(View& view, std::span<std::unique_ptr<QueuedOperation>> operations);
    // Puts the operations that a committed round left out at the head of the queue.
    void put_back(std::span<std::unique_ptr<QueuedOperation>> operations);
    // Takes the operation out of the queue until what it needs is computed.
    void compute_outside(std::unique_ptr<QueuedOperation> operation, LoadMore more);
    // Puts the operation and those behind it at the head of the queue.
    void come_back(std::size_t order);
    // Whether it waits behind an operation of its order that is away.
    bool waits_behind(std::unique_ptr<QueuedOperation>& operation);
    Result<void> commit(std::span<std::unique_ptr<QueuedOperation>> operations);
    // Commits once. Absent: the commit status is unknown.
    Result<std::optional<Committed>> attempt(
        const Round& round, std::span<std::unique_ptr<QueuedOperation>> operations);
    // Whether a round is durable whose commit was not acknowledged.
    Result<CommitStatus> query_commit_status(const RoundId& round);
    void remember();
    void take_touched(const View& view);
    // The round may or may not be durable.
    void notify_outcome_unknown();
    void answer(std::span<std::unique_ptr<QueuedOperation>> operations);
    void dispose(std::unique_ptr<QueuedOperation> operation);
    // Moves the decided operations out.
    RoundEnd end_of(std::span<std::unique_ptr<QueuedOperation>> operations);

    const ShardOptions options_;
    std::unique_ptr<Writer> writer_;
    IdSource& ids_;
    CoordinatorMetrics& metrics_;
    ActiveInstances active_{1'024};

    // Results of the last fold, published once it has committed.
    Touched touched_;
    std::vector<ConflictRow> conflicts_;
    std::vector<std::optional<LoadMore>> left_out_;  // by operation; set for those that run again
    std::vector<char> decided_;
    Moment decided_at_;
    std::function<void(RoundEnd)> publish_;

    mutable std::mutex mutex_;
    std::optional<Error> write_failure_;
    std::deque<Group> queue_;
    // Operations that are away, by order: the first is computed for, the others wait behind it.
    std::map<std::size_t, Group> away_;
    std::size_t queued_ = 0;  // with those that are away
    bool closed_ = false;
    std::function<void()> wake_ = [] {};
    RunOutside outside_;
    RunOutside dispose_;
};

}  // namespace holdfast
