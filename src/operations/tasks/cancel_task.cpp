#include "operations/tasks/cancel_task.h"

namespace holdfast::op {

void reads(const CancelTask& op, ReadSet& reads) { read_task_end(reads, op.instance, op.task); }

CancelTask::Outcome decide(const CancelTask& op, View& view) {
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    const HumanTask& task = *find_task(view, op.instance, op.task);
    if (task.state == TaskState::cancelled) return TaskUnchanged{task};
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    return TaskChanged{end_task(
        view, task,
        {.state = TaskState::cancelled, .outputs = {}, .error = {}, .caller = op.cause.caller},
        op.cause)};
}

}  // namespace holdfast::op
