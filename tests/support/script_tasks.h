// The task operations of a generated script.
#pragma once

#include "support/script_state.h"

namespace holdfast::testing {

class TaskCommands {
public:
    static constexpr unsigned kinds = 16;

    explicit TaskCommands(ScriptState& state) : state_(state) {}

    void follow(unsigned kind);

private:
    op::CreateTask create();
    // Usually on an open task, by its holder.
    template <class Op>
    Op on_task();
    op::ClaimTask claim();
    op::CompleteTask complete();
    op::AssignTask assign();
    op::DelegateTask delegate();
    op::Suspend suspend();

    ScriptState& state_;
};

}  // namespace holdfast::testing
