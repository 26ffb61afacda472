// One flow in memory: what happens to it comes through an inbox and is worked off by one worker at
// a time; what it wants goes to the coordinator.
#pragma once

#include <mutex>

#include "flow/execution.h"
#include "node/runner.h"
#include "operations/lifecycle/continue_as.h"
#include "operations/lifecycle/fail.h"
#include "operations/lifecycle/finish.h"

namespace holdfast {

class LiveFlow : public std::enable_shared_from_this<LiveFlow> {
public:
    LiveFlow(Runner& runner, InstanceId id, const flow::Code& code)
        : runner_(runner), id_(id), code_(code) {}
    // No job refers to it any more, so none of its steps runs.
    ~LiveFlow() {
        if (execution_) execution_->abandon();
    }

    // On a worker: goes on right there.
    void begin(Work work, SignalHandler::Done done);
    // Any thread.
    void let_go(const NodeId& life);

private:
    using Input = std::move_only_function<void()>;

    // Inputs are run by whoever keeps the flow alive: one that kept it itself would keep it for
    // ever when no worker takes it any more. False: somebody works the inbox off already.
    bool put(Input input);
    void post(Input input);
    void work_off();

    // Loads what it does not know, and goes on with the lease that it was given.
    void take_on(Work work, SignalHandler::Done done);
    void load();
    void prepare(const Instance& instance);
    void renew(const Instance& instance);
    // What the execution does not know yet of the journal.
    void read_journal(std::shared_ptr<const Instance> instance);
    void take_journal(std::shared_ptr<const Instance> instance,
                      const Result<std::vector<JournalEntry>>& entries);
    // After every change: does what there is to do now.
    void move_on();
    void go_on();
    void try_again();
    void look_for_cancellation();
    // What the execution assumed was not so: forgets it.
    void start_over();
    void leave_resting();
    void leave(Result<void> result);

    // Commands.
    void perform(const flow::RunStep&) {}
    void perform(const flow::SendEvent& command);
    void perform(const flow::ReadState& command);
    void perform(flow::Record& command);
    void perform(flow::StartChild& command);
    void perform(flow::SetState& command);
    void perform(flow::CreateTask& command);
    void perform(flow::Suspend& command);
    void perform(flow::PutOff& command);
    void perform(flow::Finish& command);
    void perform(flow::Fail& command);
    void perform(flow::ContinueAs& command);
    void perform(flow::Diverged& command);
    void run_steps(std::vector<flow::RunStep> steps);
    flow::StepEnd run(flow::RunStep& step);

    template <class Op, class Then>
    void submit(Op op, Then then);
    template <class Op>
    Op operation(std::uint64_t index);

    // Outcomes that mean the same for every operation.
    void refused(const op::Overtaken&) { overtaken_ = true; }
    void refused(const op::Ended&) { gone_ = true; }
    void refused(const op::NotFound&) { gone_ = true; }
    void refused(const op::Quarantined&) { gone_ = true; }
    void refused(const op::AlreadyRecorded& outcome) { execution_->feed({outcome.step, {}}); }
    void refused(const op::Diverged& outcome) { execution_->feed({outcome.step, {}}); }
    void impossible(std::uint64_t index, std::string why);

    Runner& runner_;
    const InstanceId id_;
    const flow::Code& code_;

    std::mutex mutex_;
    std::vector<Input> inbox_;
    bool active_ = false;

    // Below: only whoever works the inbox off.
    std::unique_ptr<flow::Execution> execution_;
    std::optional<Work> work_;
    SignalHandler::Done done_;
    std::size_t in_flight_ = 0;
    std::size_t tries_ = 0;
    std::optional<Error> trouble_;  // the store could not take something
    bool overtaken_ = false;
    bool gone_ = false;     // it ended, or is out of reach
    bool resting_ = false;  // what it waits for is registered
    bool reload_ = false;   // its next run has begun
    bool loading_ = false;  // its journal is being read
    bool pausing_ = false;
    bool stumbled_ = false;  // a place turned out impossible: what follows it was refused
    std::optional<std::pair<Work, SignalHandler::Done>>
        next_;  // came while it lets the last one go
};

}  // namespace holdfast
