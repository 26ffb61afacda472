// One live flow: its coroutine and the journal read so far. Uses no thread, clock or store: journal
// entries in, commands out. The same journal always yields the same commands.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "base/ids/uuid.h"
#include "flow/call.h"
#include "holdfast/code.h"

namespace holdfast::flow {

struct Identity {
    InstanceId instance;
    std::uint64_t run = 1;
};

// Information of a new lease about the current step.
struct Renewal {
    std::uint64_t index = 0;            // of `failed`
    std::vector<FailedAttempt> failed;  // earlier attempts, from the store
    std::optional<std::size_t> lost;    // earlier leases without progress
};

class Execution final : public Host {
public:
    using Log = std::function<void(std::string_view)>;

    // `code` outlives the execution.
    Execution(const Code& code, Identity identity, Log log = {});
    ~Execution();
    Execution(const Execution&) = delete;
    Execution& operator=(const Execution&) = delete;

    const Identity& identity() const { return identity_; }
    const Code& code() const { return code_; }
    // The index of the next journal entry to feed.
    std::uint64_t next() const { return next_; }

    // Adds the journal entry at the next index. Known entries are ignored.
    void feed(const JournalEntry& entry);
    // The operation submitted or assumed at this index was accepted. `id` is that of a started
    // child or task.
    void confirm(std::uint64_t index, Moment at, std::optional<std::string> id = {});
    // A step's function, or an effect, has ended. Also fails a child or a wait that was refused.
    void end_step(std::uint64_t index, StepEnd end);
    // A new lease: commands that are not in the journal are issued again.
    void renew(Renewal renewal);
    // Runs the flow as far as possible.
    std::vector<Command> advance();

    // The record that it assumes to be accepted. The flow continues on this assumption, so that the
    // record of a step and what follows can share a commit. Commands with external effects are not
    // issued before the record is confirmed.
    const std::optional<op::RecordStep>& assumed() const { return assumed_; }
    // The journal differs from the assumed record: discard this execution and replay.
    bool has_failed_assumption() const { return assumption_failed_; }

    // None of its pending commands was started, and none will be.
    void abandon();

    // Whether step functions are running: it must not be destroyed then.
    bool is_busy() const;
    bool has_diverged() const { return diverged_.has_value(); }
    // Describes the call at the next index, for messages.
    std::string describe_next() const;

    // calls.cpp: the calls that the flow makes.
    CallId step(std::string name, Json input, StepFunction function,
                const StepOptions& options) override;
    CallId event(std::string name) override;
    CallId sleep(std::chrono::microseconds time) override;
    CallId sleep_until(Moment until) override;
    CallId child(std::string flow, Json arguments) override;
    CallId spawn(std::string flow, Json arguments) override;
    CallId workflow(std::string id) override;
    CallId send(std::string workflow, std::string event, Json value) override;
    CallId broadcast(std::string event, Json value) override;
    CallId set_state(Json patch) override;
    CallId read_state() override;
    CallId on_rollback(std::string name, StepFunction undo, const StepOptions& options) override;
    CallId task(TaskRequest request) override;
    CallId continue_as(Json arguments) override;
    CallId all(std::vector<CallId> members) override;
    CallId any(std::vector<CallId> members) override;

    void set_undo(CallId step, StepFunction undo) override;
    bool begin(CallId call) override;
    void park(std::coroutine_handle<> frame) noexcept override { parked_ = frame; }
    void schedule(std::coroutine_handle<> frame) noexcept override { scheduled_ = frame; }
    Json take(CallId call) override;
    const std::vector<CallId>& members(CallId group) const override;
    std::size_t winner(CallId group) const override;
    std::string where(CallId call) const override;
    const std::string& id() const override { return id_; }
    Moment now() const override;
    std::uint64_t random() override;
    void log(std::string_view text) override;
    // False inside a step, which never runs during replay.
    bool is_replaying() const override { return inside_ && !arrivals_.empty(); }

private:
    enum class Phase { fresh, running, unwinding, ending };

    // execution.cpp: the coroutine.
    void start();
    bool run_once();
    void run_frames();
    void leave_body();
    bool unwind();
    void note_undone();
    void expect_inside() const;
    bool settle_end();
    void diverge(std::uint64_t index, std::string expected, std::string found);

    // calls.cpp
    CallId add(CallSpec spec);
    CallId put(CallSpec spec);
    void expect_sendable(const std::string& event) const;

    // slots.cpp: the slots of a call, and the entries that arrive for them.
    void lay_out(CallId call);
    void lay_out_group(CallId call);
    void add_begin(CallId call);
    void add_wait(CallId call, CallId member);
    // Whether the awaited call is complete.
    bool settle();
    void settle_one(Arrival arrival);
    void settle_cancelled();
    bool drain_cancelled();
    bool is_arrival_of(const Slot& slot, const Arrival& arrival) const;
    void settle_begin(Slot& slot, Arrival& arrival);
    void fail_begin(Call& call, const Slot& slot, const Json& error);
    void settle_wait(Slot& slot, Arrival& arrival);
    bool win(CallId member, const std::vector<CallId>& among, Arrival& arrival);
    void complete();
    std::vector<CallId> contenders(CallId call) const;
    std::string describe_contenders(CallId call) const;
    std::optional<Moment> earliest(const std::vector<CallId>& calls) const;
    Moment due_of(const SleepCall& call) const;

    // issue.cpp: the next commands.
    void apply_renewal();
    void issue(std::vector<Command>& commands);
    void run(Slot& slot, std::vector<Command>& commands);
    void submit(Slot& slot, std::vector<Command>& commands);
    void submit_end(Slot& slot, std::vector<Command>& commands);
    void issue_wait(Slot& slot, std::vector<Command>& commands);
    void issue_end(std::vector<Command>& commands);
    bool gives_up(const Slot& slot) const;
    void record(Slot& slot, op::RecordStep record, std::vector<Command>& commands);
    bool has_effect(const Slot& slot) const;
    std::string idempotency_key(const Slot& slot) const;

    const Code& code_;
    const Identity identity_;
    const std::string id_;
    const Log log_;
    Context context_;
    Phase phase_ = Phase::fresh;

    std::unordered_map<CallId, Call> calls_;
    CallId last_call_ = 0;
    CallId awaited_ = 0;       // 0: none
    std::vector<Slot> slots_;  // of the awaited call, in index order
    std::size_t settled_ = 0;  // number of slots that are in the journal
    std::uint64_t place_ = 1;  // the index of the next slot
    std::uint64_t next_ = 0;   // the index of the next arrival
    std::deque<Arrival> arrivals_;
    Moment now_;
    Moment began_;  // when the awaited call began
    std::uint64_t randoms_ = 0;
    std::vector<CallId> leftovers_;

    bool cancelled_ = false;
    bool aborting_ = false;  // the awaited call is cancelled
    bool rollback_marked_ = false;
    std::vector<Undo> undos_;
    std::size_t undone_ = 0;
    Json undo_failures_;  // null or an array
    Json result_;
    std::exception_ptr failure_;
    bool end_submitted_ = false;
    std::optional<Renewal> renewal_;
    std::optional<op::RecordStep> assumed_;
    bool assumed_submitted_ = false;
    bool assumption_failed_ = false;
    std::optional<Diverged> diverged_;
    bool divergence_reported_ = false;

    std::unique_ptr<Body> body_;
    bool inside_ = false;  // the flow's own code runs, not a step
    std::coroutine_handle<> parked_;
    std::coroutine_handle<> scheduled_;
};

}  // namespace holdfast::flow
