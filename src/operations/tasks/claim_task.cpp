#include "operations/tasks/claim_task.h"

namespace holdfast::op {

void reads(const ClaimTask& op, ReadSet& reads) { read_task(reads, op.instance, op.task); }

ClaimTask::Outcome decide(const ClaimTask& op, View& view) {
    using Outcome = ClaimTask::Outcome;
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    HumanTask task = *find_task(view, op.instance, op.task);
    // The second user learns who holds the task, whatever version the request expects.
    if (task.state == TaskState::claimed)
        return task.holder == op.cause.caller.user ? Outcome{TaskUnchanged{task}}
                                                   : Outcome{TaskHeld{task}};
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    if (!may_claim(task, op.cause.caller)) return NotCandidate{task};
    task.state = TaskState::claimed;
    task.holder = op.cause.caller.user;
    return TaskChanged{view.tasks().accept(std::move(task),
                                           {.type = TaskEventType::claimed,
                                            .caller = op.cause.caller,
                                            .detail = {},
                                            .operation = op.cause.operation},
                                           view.now())};
}

}  // namespace holdfast::op
