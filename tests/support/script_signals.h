// The signal operations of a generated script: what is queued, claimed between the rounds, handled,
// moved to the dead letters and back; and the jobs of its processes.
#pragma once

#include "support/script_state.h"

namespace holdfast::testing {

class SignalCommands {
public:
    static constexpr unsigned kinds = 24;

    explicit SignalCommands(ScriptState& state) : state_(state) {}

    void follow(unsigned kind);

private:
    op::EnqueueSignal enqueue();
    InstanceId receiver();
    void aim(op::EnqueueSignal& signal);
    // On a leased signal of that kind. Claims first if there is none.
    template <class Op>
    Op on_leased(bool (*is_meant)(SignalType type));
    std::vector<SignalRow> leased(bool (*is_meant)(SignalType type));
    std::size_t queued();
    void end_job();
    void bury();
    op::ReportStranded report();
    SignalId any_letter();

    ScriptState& state_;
    std::vector<SignalId> signals_;  // that were enqueued here
};

}  // namespace holdfast::testing
