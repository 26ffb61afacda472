// One flow in memory. Its inputs arrive in an inbox, which one worker at a time processes; its
// commands are submitted to the coordinator.
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
    // No work item refers to it any more, so none of its steps runs.
    ~LiveFlow() {
        if (execution_) execution_->abandon();
    }

    // Called on a worker, and may run the flow on it.
    void begin(Work work, SignalHandler::Done done);
    // Ends the work that this life leased. Any thread.
    void drop_lease(const NodeId& life);
    // As in Runner. Any thread.
    void give_up_hung(std::chrono::microseconds limit);

    const InstanceId& id() const { return id_; }

private:
    using Input = std::move_only_function<void()>;

    // Where a step runs. On the thread that processes the inbox, the flow does nothing else before
    // it returns.
    enum class Place { inbox_worker, other_worker };
    // A step that runs now. Whoever takes it off the list of running steps decides: the thread that
    // ran it, or the watch that gives it up.
    struct RunningStep {
        std::uint64_t index = 0;
        std::chrono::steady_clock::time_point began;
        std::chrono::microseconds timeout{0};
        Place place = Place::other_worker;
    };

    // The thread that processes an input keeps the flow alive. An input must not do so itself: if
    // no worker ran it any more, the flow would leak. False: a worker processes the inbox already.
    bool put(Input input);
    void post(Input input);
    void process_inbox();

    // Continues under the lease of `work`, after loading what changed.
    void accept(Work work, SignalHandler::Done done);
    void load();
    void prepare(const Instance& instance);
    void renew(const Instance& instance);
    // Reads the entries that the execution does not have yet.
    void read_journal(std::shared_ptr<const Instance> instance);
    void take_journal(std::shared_ptr<const Instance> instance,
                      const Result<std::vector<JournalEntry>>& entries);
    // Called after every input: decides what to do next.
    void dispatch();
    void run_commands();
    void retry_submit();
    void check_for_cancellation();
    // Drops the execution, whose assumption was wrong, and replays.
    void restart();
    void finish_waiting();
    void finish(Result<void> result);

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
    // Runs it on the list. Absent: it was given up, and this flow with it.
    std::optional<flow::StepEnd> run_watched(flow::RunStep& step, Place place);
    void give_up(const RunningStep& step);
    // Gives the lease back; whatever arrives later is ignored.
    void abandon();

    template <class Op, class Then>
    void submit(Op op, Then then);
    template <class Op>
    Op operation(std::uint64_t index);

    // Outcomes that are handled in the same way for every operation.
    void refused(const op::Overtaken&) { overtaken_ = true; }
    void refused(const op::Ended&) { closing_ = true; }
    void refused(const op::NotFound&) { closing_ = true; }
    void refused(const op::Quarantined&) { closing_ = true; }
    void refused(const op::AlreadyRecorded& outcome) { execution_->feed({outcome.step, {}}); }
    void refused(const op::Diverged& outcome) { execution_->feed({outcome.step, {}}); }
    void fail_call(std::uint64_t index, std::string why);

    Runner& runner_;
    const InstanceId id_;
    const flow::Code& code_;

    std::mutex mutex_;
    std::vector<Input> inbox_;
    bool active_ = false;
    std::vector<RunningStep> running_;
    std::atomic<bool> given_up_ = false;  // by the watch, which is done with this flow

    // Below: only the worker that processes the inbox.
    std::unique_ptr<flow::Execution> execution_;
    std::optional<Work> work_;
    SignalHandler::Done done_;
    std::size_t in_flight_ = 0;
    std::size_t retries_ = 0;
    std::optional<Error> store_error_;  // the store did not accept an operation
    bool overtaken_ = false;
    bool closing_ = false;  // the workflow ended, or the lease is lost
    bool abandoned_ = false;
    bool waiting_ = false;  // its wait is registered
    bool reload_ = false;   // load before the next command
    bool loading_ = false;  // its journal is being read
    bool pausing_ = false;
    bool call_failed_ = false;  // a call was refused, and with it those submitted after it
    std::optional<std::pair<Work, SignalHandler::Done>>
        next_;  // arrived while the current work ends
};

}  // namespace holdfast
