// What the clients of a simulated fleet do with human tasks.
#include "sim/clients.h"

namespace holdfast::sim {

void Clients::act_on_task() {
    const std::size_t dice = random_.below(100);
    if (dice < 25 || tables_.tasks.empty()) return create_task();
    if (dice < 45) return wait_for_task();
    if (dice < 65) return change_task(on_some_task<op::ClaimTask>());
    if (dice < 72) return change_task(on_some_task<op::ReleaseTask>());
    if (dice < 90) return change_task(on_some_task<op::CompleteTask>());
    if (dice < 95) return change_task(on_some_task<op::FailTask>());
    change_task(on_some_task<op::CancelTask>());
}

void Clients::create_task() {
    const Believed& runner = some_runner();
    const op::CreateTask create{.cause = cause(),
                                .instance = runner.id,
                                .run = runner.run,
                                .step_name = "task-" + std::to_string(runner.run.index),
                                .input_hash = sha256(std::to_string(runner.run.index)),
                                .spec = {.name = "approve"}};
    call(*some_node(), create, [this, create](const Result<op::CreateTask::Outcome>& outcome) {
        if (!outcome) return;
        if (std::holds_alternative<op::TaskCreated>(*outcome)) {
            acknowledged(create.instance, create.cause);
            return believe(create.instance, {create.run.run, create.run.index + 1});
        }
        refused(create.cause);
        if (const auto* late = std::get_if<op::Overtaken>(&*outcome))
            believe(create.instance, late->current);
    });
}

const HumanTask& Clients::some_task() {
    auto at = tables_.tasks.begin();
    std::advance(at, random_.below(tables_.tasks.size()));
    return at->second;
}

// Its runner waits until the task has ended.
void Clients::wait_for_task() {
    const HumanTask& task = some_task();
    for (const Believed& runner : believed_)
        if (runner.id == task.instance)
            return suspend({.cause = cause(),
                            .instance = runner.id,
                            .run = runner.run,
                            .wait = {.names = {event_name_of(task.id)}}});
}

template <class Op>
Op Clients::on_some_task() {
    const HumanTask& task = some_task();
    Op op;
    op.cause = cause();
    op.instance = task.instance;
    op.task = task.id;
    op.cause.caller.user = random_.chance(70) ? task.holder.value_or("ann") : "bob";
    return op;
}

template <class Op>
void Clients::change_task(Op op) {
    call(*some_node(), op, [this, op](const Result<typename Op::Outcome>& outcome) {
        if (!outcome) return;
        if (std::holds_alternative<op::TaskChanged>(*outcome))
            ledger_.tasks.push_back({op.task, op.cause});
        else
            refused(op.cause);
    });
}

// The task that the workflow waits for is cancelled; if it has ended before, the workflow is.
void Clients::end_task(const Instance& instance, const std::string& name) {
    for (const auto& [id, task] : tables_.tasks)
        if (event_name_of(id) == name && is_open(task.state)) {
            op::CancelTask cancel;
            cancel.cause = cause();
            cancel.instance = task.instance;
            cancel.task = id;
            return change_task(cancel);
        }
    call(*some_node(), op::Cancel{.cause = cause(), .instance = instance.id, .reason = "end"},
         [](const auto&) {});
}

}  // namespace holdfast::sim
