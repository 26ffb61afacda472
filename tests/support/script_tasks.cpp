#include "support/script_tasks.h"

namespace holdfast::testing {

void TaskCommands::follow(unsigned kind) {
    if (kind < 4) return state_.submit(create());
    if (kind < 7) return state_.submit(claim());
    if (kind < 10) return state_.submit(complete());
    switch (kind) {
        case 10: return state_.submit(on_task<op::ReleaseTask>());
        case 11: return state_.submit(assign());
        case 12: return state_.submit(delegate());
        case 13: return state_.submit(on_task<op::FailTask>());
        case 14: return state_.submit(on_task<op::CancelTask>());
        default: return state_.submit(suspend());
    }
}

op::CreateTask TaskCommands::create() {
    const InstanceId id = state_.any_id();
    op::CreateTask create{.cause = state_.cause(),
                          .instance = id,
                          .run = state_.run_of(id),
                          .step_name = state_.any(state_.names)};
    create.spec = {
        .name = state_.any(state_.names), .payload = state_.value(), .priority = state_.choose(3)};
    if (state_.choose(3) == 0) create.spec.assignee = state_.any(state_.people);
    if (state_.choose(3) == 0) create.spec.candidate_users = state_.people;
    if (state_.choose(3) == 0) create.spec.candidate_groups = {"g"};
    if (state_.choose(3) == 0) create.spec.expected_outputs = {"n"};
    return create;
}

template <class Op>
Op TaskCommands::on_task() {
    std::vector<HumanTask> open;
    std::vector<HumanTask> all;
    for (const auto& [id, task] : state_.tables().tasks) {
        all.push_back(task);
        if (is_open(task.state)) open.push_back(task);
    }
    Op op;
    op.cause = state_.cause();
    op.cause.caller.user = state_.any(state_.people);
    if (all.empty()) return op;
    const HumanTask& task = state_.any(open.empty() || state_.choose(6) == 0 ? all : open);
    op.instance = task.instance;
    op.task = task.id;
    std::string& user = op.cause.caller.user;
    if (state_.choose(4) != 0) user = task.holder.value_or(user);
    if (state_.choose(3) == 0) op.expected = task.version - (state_.choose(3) == 0 ? 1 : 0);
    return op;
}

op::ClaimTask TaskCommands::claim() {
    auto claim = on_task<op::ClaimTask>();
    if (state_.choose(2) == 0) claim.cause.caller.groups = {"g"};
    return claim;
}

op::CompleteTask TaskCommands::complete() {
    auto complete = on_task<op::CompleteTask>();
    if (state_.choose(4) != 0) complete.outputs = state_.value();
    return complete;
}

op::AssignTask TaskCommands::assign() {
    auto assign = on_task<op::AssignTask>();
    if (state_.choose(3) != 0) assign.assignee = state_.any(state_.people);
    return assign;
}

op::DelegateTask TaskCommands::delegate() {
    auto delegate = on_task<op::DelegateTask>();
    delegate.to = state_.any(state_.people);
    return delegate;
}

op::Suspend TaskCommands::suspend() {
    const auto task = on_task<op::CancelTask>();
    return {.cause = task.cause,
            .instance = task.instance,
            .run = state_.run_of(task.instance),
            .wait = {.names = {event_name_of(task.task)}}};
}

}  // namespace holdfast::testing
