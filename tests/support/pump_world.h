// Nodes with handlers on the store of a world, for tests of the pump.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "program/flow.h"
#include "pump/signals/signal_thread.h"
#include "support/eventually.h"
#include "support/world.h"

namespace holdfast::testing {

// Holds its work until the test, or its plan, completes it.
class TestHandler final : public SignalHandler {
public:
    using Plan = std::function<void(const Work&, Done&)>;

    // Absent: holds the work until release().
    explicit TestHandler(Plan plan = {}) : plan_(std::move(plan)) {}

    void handle(Work work, Done done) override {
        {
            const std::lock_guard lock(mutex_);
            seen_.push_back(work);
            most_at_once_ = std::max(most_at_once_, ++at_once_);
            changed_.notify_all();
        }
        if (plan_) {
            Done counted = [this, done = std::move(done)](Result<void> result) mutable {
                {
                    const std::lock_guard lock(mutex_);
                    --at_once_;
                }
                done(std::move(result));
            };
            return plan_(work, counted);
        }
        const std::lock_guard lock(mutex_);
        kept_.push_back(std::move(done));
        changed_.notify_all();
    }
    void drop(const NodeId& life) override {
        const std::lock_guard lock(mutex_);
        dropped_.push_back(life);
    }

    // Waits for `count` calls.
    std::vector<Work> seen(std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30),
                                      [&] { return seen_.size() >= count; }))
            << "called " << seen_.size() << " times, not " << count;
        return seen_;
    }
    // Completes the oldest work that it holds.
    void release(Result<void> result = {}) {
        Done done;
        {
            std::unique_lock lock(mutex_);
            ASSERT_TRUE(
                changed_.wait_for(lock, std::chrono::seconds(30), [&] { return !kept_.empty(); }));
            done = std::move(kept_.front());
            kept_.erase(kept_.begin());
            --at_once_;
        }
        done(std::move(result));
    }
    std::size_t most_receivers() const {
        const std::lock_guard lock(mutex_);
        return most_at_once_;
    }
    std::vector<NodeId> dropped() const {
        const std::lock_guard lock(mutex_);
        return dropped_;
    }

private:
    const Plan plan_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Work> seen_;
    std::vector<Done> kept_;
    std::vector<NodeId> dropped_;
    std::size_t at_once_ = 0;
    std::size_t most_at_once_ = 0;
};

// Waits for a commit after which an instance meets a condition.
class CommitObserver final : public CommitListener {
public:
    void committed(const Touched& touched) override {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, instance, held] : touched.instances)
            if (instance) seen_.insert_or_assign(id, *instance);
        changed_.notify_all();
    }
    Instance sees(const InstanceId& id, const std::function<bool(const Instance&)>& expected) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30), [&] {
            const auto found = seen_.find(id);
            return found != seen_.end() && expected(found->second);
        }));
        return seen_[id];
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<InstanceId, Instance> seen_;
};

// A node: its life, its coordinator, and the thread that brings signals to its handlers.
class PumpNode {
public:
    PumpNode(World& world, const Programs& programs, PumpSettings settings = {},
             Store* store = nullptr)
        : store_(store ? *store : *world.store),
          metrics(registry),
          pump_metrics(registry),
          signals(programs, settings, pump_metrics),
          life(store_, world.ids, pump_metrics,
               {.name = "node", .lease = settings.lease, .programs = programs.keys()},
               [this](const NodeId& over) { signals.drop(over); }) {
        EXPECT_TRUE(life.join());
        coordinator = *Coordinator::open(store_, world.ids, metrics,
                                         {.self = [this] { return signals.self(life.id()); },
                                          .listeners = {&signals, &observer}});
        signals.start(store_, *coordinator, world.ids, life);
    }
    ~PumpNode() {
        signals.stop();
        EXPECT_TRUE(life.leave());
        coordinator->shutdown();
    }

    template <class Op>
    typename Op::Outcome run(Op op) {
        auto outcome = coordinator->submit(std::move(op)).get();
        EXPECT_TRUE(outcome.has_value()) << (outcome ? "" : outcome.error().message);
        return *std::move(outcome);
    }
    // Waits until the signal thread has looked for work that often.
    void looked(std::size_t count) const {
        EXPECT_TRUE(eventually([&] { return signals.looks() >= count; }));
    }

private:
    Store& store_;

public:
    prometheus::Registry registry;
    CoordinatorMetrics metrics;
    PumpMetrics pump_metrics;
    SignalThread signals;
    CommitObserver observer;
    NodeLife life;
    std::unique_ptr<Coordinator> coordinator;
};

inline void define_flow(World& world, const std::string& key) {
    world.run(
        op::Define{.cause = world.cause(), .key = key, .kind = "flow", .program = flow_program()});
}

inline op::Start start_of(World& world, const std::string& definition) {
    return {.cause = world.cause(),
            .definition = definition,
            .state = document("{}"),
            .state_metadata = document("{}"),
            .arguments = document("{}")};
}

// Ends an instance that has just started, as its program would.
inline op::Finish finish_of(World& world, const Work& work) {
    return {.cause = world.cause(),
            .instance = work.instance,
            .run = {.run = 1, .index = 1, .lease = work.lease},
            .result = document("{}")};
}

}  // namespace holdfast::testing
