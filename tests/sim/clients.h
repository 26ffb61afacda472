// The people and programs around a simulated fleet: they start workflows, run them, send events,
// edit, pause, cancel, and try again when nobody answers.
#pragma once

#include "sim/ledger.h"
#include "sim/node.h"

namespace holdfast::sim {

class Clients {
public:
    Clients(Random& random, VirtualClock& clock, std::vector<std::unique_ptr<Node>>& nodes,
            const Database& database);

    // Lets someone do something, on a node that is up.
    void act();
    // Brings one open workflow nearer to its end; what to do is read from the database.
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

    Node* some_node();
    Believed& somebody() { return believed_[random_.below(believed_.size())]; }
    Cause cause() { return {.operation = ids_.next<OperationId>()}; }
    std::string some_name();
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
    IdSource ids_;
    std::vector<Believed> believed_;
    std::vector<std::string> names_;
    std::vector<std::shared_ptr<OpenCall>> open_;
    Ledger ledger_;
    std::size_t acted_ = 0;
};

}  // namespace holdfast::sim
