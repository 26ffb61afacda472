// A program for simulated nodes: at every index it follows its plan or, without one, does anything
// that a program may do. It acts under the lease it was given, also after the lease is over.
#pragma once

#include "pump/signals/signal_handler.h"
#include "sim/node.h"

namespace holdfast::sim {

class Relay final : public SignalHandler {
public:
    static constexpr std::string_view key = "relay";

    Relay(Node& node, Database& database) : node_(node), database_(database) {}

    // Runs on a fiber of its node until there is nothing to do.
    void handle(Work work, Done done) override;

private:
    // What it knows of the instance that it runs.
    struct Place;
    enum class Next { go_on, leave };

    Result<void> run(const Work& work);
    Result<std::optional<Place>> look(const Work& work);
    Result<Next> act(const Place& place);
    std::string choose(const Place& place);

    Result<Next> record(const Place& place);
    Result<Next> set_state(const Place& place);
    Result<Next> start_child(const Place& place);
    Result<Next> suspend(const Place& place, Wait wait, std::chrono::microseconds after);
    Result<Next> wait_for_child(const Place& place);
    Result<Next> put_off(const Place& place);
    Result<Next> continue_as(const Place& place);
    Result<Next> finish(const Place& place);
    Result<Next> fail_it(const Place& place);
    [[noreturn]] void die();

    template <class Op>
    Result<typename Op::Outcome> ask(const Place& place, Op op);
    // The answer of an operation that records something at its index.
    template <class Written, class Op>
    Result<Next> note(const Place& place, const Op& op, const Result<typename Op::Outcome>& outcome,
                      Next next);

    Node& node_;
    Database& database_;
};

}  // namespace holdfast::sim
