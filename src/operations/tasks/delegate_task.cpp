#include "operations/tasks/delegate_task.h"

#include <boost/json.hpp>

namespace holdfast::op {

namespace bj = boost::json;

void reads(const DelegateTask& op, ReadSet& reads) { read_task(reads, op.instance, op.task); }

DelegateTask::Outcome decide(const DelegateTask& op, View& view) {
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    HumanTask task = *find_task(view, op.instance, op.task);
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    if (task.holder && task.holder != op.cause.caller.user) return TaskHeld{task};
    if (!task.holder && task.spec.assignee != op.cause.caller.user) return NotHolder{task};
    bj::object detail;
    detail["from"] = op.cause.caller.user;
    detail["to"] = op.to;
    task.state = TaskState::created;
    task.holder.reset();
    task.spec.assignee = op.to;
    return TaskChanged{view.tasks().accept(std::move(task),
                                           {.type = TaskEventType::reassigned,
                                            .caller = op.cause.caller,
                                            .detail = Document::of(detail),
                                            .operation = op.cause.operation},
                                           view.now())};
}

}  // namespace holdfast::op
