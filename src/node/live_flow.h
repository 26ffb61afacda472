// One flow in memory. Its inputs arrive in an inbox, which one worker at a time processes; its
// commands are submitted to the coordinator.
//
//     life       next       when
//     Idle       Leased     work arrives
//     Leased     Idle       its wait is registered; or it is done, and leaves memory
//                Leased     more work arrived while it closed
//                Abandoned  one of its steps hangs
//
// Under a lease it is in one of the phases below. Outcomes of operations move it to a later one
// only, because operations in flight are answered in any order and the strongest answer counts.
//
//     phase        next         when
//     Accepted     Reading      nothing of the last lease is in flight: reads what changed
//     Reading      Running      it has the whole journal
//     Running      those below  an operation was not simply accepted
//     StoreFailed  Pausing      no operation is in flight; too often: it is done, with the error
//     Pausing      Running      submits again what was not accepted
//     Continued    Reading      the next run begins
//     Asleep       (Idle)       nothing is in flight
//     Overtaken    Running      it was cancelled at its index; else it is done: another node has it
//     CallRefused  Running      no operation is in flight: the flow gets the error
//     Closing      (done)       nothing is in flight
#pragma once

#include <mutex>
#include <variant>

#include "flow/execution.h"
#include "node/runner.h"

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

    struct Assignment {
        Work work;
        SignalHandler::Done done;
    };

    struct Accepted {};
    struct Reading {};
    struct Pausing {};
    struct Running {};
    struct StoreFailed {
        Error error;
    };
    struct Continued {};
    struct Asleep {};
    struct Overtaken {};
    struct CallRefused {};  // and with it the calls that were submitted after it
    struct Closing {        // the workflow ended, or the lease is lost
        std::optional<Assignment> next{};
    };
    using Phase = std::variant<Accepted, Reading, Pausing, Running, StoreFailed, Continued, Asleep,
                               Overtaken, CallRefused, Closing>;

    struct Idle {};
    struct Leased {
        Assignment held;
        std::size_t retries = 0;
        Phase phase = Accepted{};
    };
    struct Abandoned {};  // the lease was given back; whatever arrives later is ignored
    using Life = std::variant<Idle, Leased, Abandoned>;

    Leased& leased() { return std::get<Leased>(life_); }
    const Work& work() { return leased().held.work; }
    template <class P>
    bool is_in() const {
        const auto* lease = std::get_if<Leased>(&life_);
        return lease && std::holds_alternative<P>(lease->phase);
    }
    // A later phase stays. Without a lease: nothing.
    void advance_to(Phase phase);
    void close();
    bool is_quiet() const;  // nothing is in flight, and no step runs

    // What to do next, in each phase.
    void proceed(const Accepted&);
    void proceed(const Reading&) {}
    void proceed(const Pausing&) {}
    void proceed(const Running&);
    void proceed(const StoreFailed& failed);
    void proceed(const Continued&);
    void proceed(const Asleep&);
    void proceed(const Overtaken&);
    void proceed(const CallRefused&);
    void proceed(const Closing&);

    void accept(Assignment assignment);
    void load();
    void prepare(const Instance& instance);
    void renew(const Instance& instance);
    // Reads the entries that the execution does not have yet.
    void read_journal(std::shared_ptr<const Instance> instance);
    void take_journal(std::shared_ptr<const Instance> instance,
                      const Result<std::vector<JournalEntry>>& entries);
    void dispatch();  // after every input
    void run_commands();
    void resume();
    void pause(std::chrono::milliseconds time);
    void check_for_cancellation();
    // Drops the execution, whose assumption was wrong, and replays.
    void restart();
    void go_idle();
    void finish(Result<void> result);

    // Commands.
    void perform(const flow::RunStep&) {}
    void perform(const flow::SendEvent& command);
    void perform(const flow::ReadState& command);
    void perform(op::RecordStep& op);
    void perform(op::StartChild& op);
    void perform(op::SetState& op);
    void perform(op::CreateTask& op);
    void perform(op::Suspend& op);
    void perform(op::PutOff& op);
    void perform(op::Finish& op);
    void perform(op::Fail& op);
    void perform(op::ContinueAs& op);
    void perform(flow::Diverged& command);
    void run_steps(std::vector<flow::RunStep> steps);
    flow::StepEnd run(flow::RunStep& step);
    // Runs it on the list. Absent: it was given up, and this flow with it.
    std::optional<flow::StepEnd> run_watched(flow::RunStep& step, Place place);
    void give_up(const RunningStep& step);
    void abandon();

    Cause cause();
    template <class Op, class Then>
    void submit(Op op, Then then);
    template <class Op>
    std::uint64_t address(Op& op);  // its index

    // Outcomes that are handled in the same way for every operation.
    void refused(const op::Overtaken&) { advance_to(Overtaken{}); }
    void refused(const op::Ended&) { close(); }
    void refused(const op::NotFound&) { close(); }
    void refused(const op::Quarantined&) { close(); }
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
    std::string tenant_;  // of the workflow
    std::unique_ptr<flow::Execution> execution_;
    Life life_ = Idle{};
    std::size_t in_flight_ = 0;  // operations, a read of the journal, a pause
};

}  // namespace holdfast
