// Accepts operations as values and returns their outcomes after the commit. Every change goes here.
#pragma once

#include <future>
#include <memory>
#include <vector>

#include "base/ids/id_source.h"
#include "base/threads/long_work.h"
#include "base/threads/worker_pool.h"
#include "round/shard_thread.h"
#include "round/watchers.h"

namespace holdfast {

class Coordinator {
public:
    // Every shard gets its own round thread and answer thread.
    static Result<std::unique_ptr<Coordinator>> open(Rounds& store, IdSource& ids,
                                                     CoordinatorMetrics& metrics,
                                                     ShardOptions options = {});
    // The caller runs the shards: `wake` is called with the number of a shard that has work.
    static Result<std::unique_ptr<Coordinator>> open_driven(Rounds& store, IdSource& ids,
                                                            CoordinatorMetrics& metrics,
                                                            ShardOptions options,
                                                            std::function<void(std::size_t)> wake);
    ~Coordinator();

    // The callback runs after the commit, on the shard's answer thread or, for small rounds, on its
    // round thread. If the queue is full (overloaded) or closed (shutting_down) it runs at once, on
    // the calling thread.
    template <class Op>
    void submit(Op op, Callback<typename Op::Outcome> callback) {
        const std::size_t shard = shard_of(shard_hash(op));
        Shard::Group group;
        group.push_back(
            std::make_unique<QueuedOperationOf<Op>>(std::move(op), std::move(callback)));
        push(shard, std::move(group));
    }

    template <class Op>
    std::future<Result<typename Op::Outcome>> submit(Op op) {
        auto promise = std::make_shared<std::promise<Result<typename Op::Outcome>>>();
        auto future = promise->get_future();
        submit(std::move(op), [promise](Result<typename Op::Outcome> outcome) {
            promise->set_value(std::move(outcome));
        });
        return future;
    }

    // Submits all of them and waits for their outcomes, in order.
    template <class Op>
    std::vector<Result<typename Op::Outcome>> run_all(std::vector<Op> operations) {
        std::vector<std::future<Result<typename Op::Outcome>>> answers;
        answers.reserve(operations.size());
        for (Op& operation : operations) answers.push_back(submit(std::move(operation)));
        std::vector<Result<typename Op::Outcome>> outcomes;
        for (auto& answer : answers) outcomes.push_back(answer.get());
        return outcomes;
    }

    // Operations of any kind, each with its own callback, called in submission order within a
    // shard. One transaction per shard (up to the round limit); an operation that fails does not
    // undo the others.
    void submit_batch(Shard::Group operations);

    // An open instance as of a recent commit: no queue, no SQL, possibly slightly stale. Null: not
    // cached here. An instance whose end the watchers were notified of is never returned.
    std::shared_ptr<const Instance> get_active(const InstanceId& id) const;

    // Notified of every instance that a commit of this process touches.
    Watchers& watchers() { return watchers_; }
    // Another node changed these instances, or any: they are not active here as far as is known,
    // and those who watch them are notified.
    void changed_elsewhere(const std::vector<InstanceId>& ids);
    void anything_changed();

    // Why the store did not commit the last round of a shard; absent: all were committed, as far
    // as is known.
    std::optional<Error> write_failure() const;
    // A write outside of the rounds has succeeded.
    void forget_write_failure();

    // Refuses new operations, finishes the queued ones.
    void shutdown();

    std::vector<std::unique_ptr<Shard>>& shards() { return shards_; }

    // Runs a computation that must not delay others, such as compiling a schema, on a thread for
    // that. False: no room for it.
    bool compute(std::move_only_function<void()> work);

    // Computations for rounds take turns with whatever else takes long.
    LongWork& long_work() { return long_work_; }

private:
    Coordinator() = default;

    std::size_t shard_of(std::size_t hash) const { return hash % shards_.size(); }
    void push(std::size_t shard, Shard::Group group);

    Watchers watchers_;
    LongWork long_work_;
    std::optional<WorkerPool> checkers_;  // outlives the shards; absent: driven by the caller
    std::vector<std::unique_ptr<Shard>> shards_;
    std::vector<std::unique_ptr<ShardThread>> threads_;  // none: driven by the caller
    std::function<void(std::size_t)> wake_;
};

}  // namespace holdfast
