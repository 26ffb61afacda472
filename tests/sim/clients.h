// The clients of a simulated fleet: they start workflows, run them, send events, edit, pause,
// cancel, and retry when they get no answer.
#pragma once

#include "operations/operation_codec.h"
#include "sim/ledger.h"
#include "sim/node.h"

namespace holdfast::sim {

// The answer says that nothing was changed.
inline Document number(std::uint64_t n) { return Document::of(boost::json::object{{"n", n}}); }

inline bool is_definite(ErrorCode code) {
    return code == ErrorCode::unavailable || code == ErrorCode::refused ||
           code == ErrorCode::overloaded;
}

class Clients {
public:
    Clients(Random& random, VirtualClock& clock, std::vector<std::unique_ptr<Node>>& nodes,
            Database& database);

    // One random client action, on a node that is up.
    void act();
    // Moves one open workflow closer to its end; what to do is read from the database.
    void drive(const Instance& instance);

    Ledger& ledger() { return ledger_; }
    std::size_t acted() const { return acted_; }
    // Calls that may still be answered.
    std::size_t open_calls() const;
    std::string open_operations() const;

private:
    // What a runner believes about the workflow it runs.
    struct Believed {
        InstanceId id;
        op::Run run;
        Version version = 1;
    };
    struct OpenCall {
        Node* node;
        std::uint64_t life;
        std::string operation;
        bool answered = false;
    };

    void start();
    void suspend();
    void suspend(const op::Suspend& suspend);
    void send();
    void send_again();
    void record();
    void record_pair();
    void finish();
    void fail_it();
    void cancel();
    void pause_or_resume();
    void continue_as();
    void edit();
    void cancel_timers();
    // client_signals.cpp
    void start_program(const std::string& definition);
    void enqueue();
    void enqueue_again();
    void transmit(const op::EnqueueSignal& signal);
    SentSignal some_signal(const InstanceId& to);
    void add_event(SentSignal& sent, bool is_stale);
    Document some_completion();
    void settle_letter();
    void redrive(const SignalId& letter);
    void drive_program(const Instance& instance);
    void send_awaited(const Instance& instance);
    void have_job_done(const Instance& instance);

    // client_tasks.cpp
    void act_on_task();
    void create_task();
    void wait_for_task();
    const HumanTask& some_task();
    template <class Op>
    Op on_some_task();
    template <class Op>
    void change_task(Op op);
    void end_task(const Instance& instance, const std::string& name);

    Node* some_node();
    // Any instance, with or without a program.
    InstanceId any_instance();
    Believed& some_runner() { return believed_[random_.below(believed_.size())]; }
    Cause cause() { return {.operation = ids_.next<OperationId>()}; }
    std::string some_name();
    std::string some_correlation();
    Wait some_wait(const InstanceId& self);
    void transmit(const op::SendEvent& event);
    void note_event(const EventId& id, const Result<op::SendEvent::Outcome>& outcome);
    op::RecordStep step_at(const Believed& runner, std::uint64_t index);
    void note_step(const op::RecordStep& step, const op::RecordStep::Outcome& outcome);
    void believe(const InstanceId& id, const op::Run& run);

    // Submits on some node; `note` gets the answer if there is one.
    template <class Op, class Note>
    void call(Node& node, Op op, Note note);
    template <class Outcome>
    void count(std::string_view operation, const Result<Outcome>& outcome);
    // The answer says that nothing was changed.
    void refused(const Cause& cause) { ledger_.refused.insert(cause.operation); }
    void acknowledged(const InstanceId& id, const Cause& cause,
                      std::optional<Version> version = std::nullopt) {
        ledger_.acknowledged.push_back({id, cause.operation, version});
    }

    Random& random_;
    VirtualClock& clock_;
    std::vector<std::unique_ptr<Node>>& nodes_;
    const memory::Tables& tables_;
    Ledger& ledger_;
    IdSource ids_;
    std::vector<Believed> believed_;
    std::vector<std::string> names_;
    std::vector<std::shared_ptr<OpenCall>> open_;
    std::vector<InstanceId> programs_;
    std::vector<TokenId> tokens_;  // of waits, most of them over
    std::size_t acted_ = 0;
};

template <class Outcome>
void Clients::count(std::string_view operation, const Result<Outcome>& outcome) {
    const std::string what = outcome
                                 ? std::string(op::outcome_json(*outcome).at("outcome").as_string())
                                 : "error " + std::string(name_of(outcome.error().code));
    ++ledger_.answers[std::string(operation) + " " + what];
}

template <class Op, class Note>
void Clients::call(Node& node, Op op, Note note) {
    auto open = std::make_shared<OpenCall>(
        &node, node.lives(), std::string(Op::name) + " " + to_string(op.cause.operation));
    open_.push_back(open);
    const Cause cause = op.cause;
    node.submit(std::move(op), [this, open, cause, note](Result<typename Op::Outcome> outcome) {
        open->answered = true;
        count(Op::name, outcome);
        if (!outcome && is_definite(outcome.error().code)) refused(cause);
        if (!outcome && outcome.error().code == ErrorCode::internal)
            ledger_.contradictions.push_back("an operation failed by a bug: " +
                                             outcome.error().message);
        note(outcome);
    });
}

}  // namespace holdfast::sim
