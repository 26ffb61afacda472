#include "operations/tasks/fail_task.h"

namespace holdfast::op {

void reads(const FailTask& op, ReadSet& reads) { read_task_end(reads, op.instance, op.task); }

FailTask::Outcome decide(const FailTask& op, View& view) {
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    const HumanTask& task = *find_task(view, op.instance, op.task);
    if (task.state == TaskState::failed) return TaskUnchanged{task};
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    if (task.holder != op.cause.caller.user) return NotHolder{task};
    return TaskChanged{end_task(
        view, task,
        {.state = TaskState::failed, .outputs = {}, .error = op.error, .caller = op.cause.caller},
        op.cause)};
}

}  // namespace holdfast::op
