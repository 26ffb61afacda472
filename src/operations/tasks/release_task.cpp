#include "operations/tasks/release_task.h"

namespace holdfast::op {

void reads(const ReleaseTask& op, ReadSet& reads) { read_task(reads, op.instance, op.task); }

ReleaseTask::Outcome decide(const ReleaseTask& op, View& view) {
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    HumanTask task = *find_task(view, op.instance, op.task);
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    if (task.holder != op.cause.caller.user) return NotHolder{task};
    task.state = TaskState::created;
    task.holder.reset();
    return TaskChanged{view.tasks().accept(std::move(task),
                                           {.type = TaskEventType::released,
                                            .caller = op.cause.caller,
                                            .detail = {},
                                            .operation = op.cause.operation},
                                           view.now())};
}

}  // namespace holdfast::op
