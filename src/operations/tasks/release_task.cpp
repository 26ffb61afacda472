#include "operations/tasks/release_task.h"

#include <boost/json.hpp>

namespace holdfast::op {

namespace bj = boost::json;

void reads(const ReleaseTask& op, ReadSet& reads) { read_task(reads, op.instance, op.task); }

ReleaseTask::Outcome decide(const ReleaseTask& op, View& view) {
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    HumanTask task = *find_task(view, op.instance, op.task);
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    if (task.holder != op.user) return NotHolder{task};
    task.state = TaskState::created;
    task.holder.reset();
    return TaskChanged{view.tasks().accept(std::move(task),
                                           {.type = TaskEventType::released,
                                            .user = op.user,
                                            .detail = {},
                                            .operation = op.cause.operation},
                                           view.now())};
}

bj::object to_json(const ReleaseTask& op) { return change_json(op); }

}  // namespace holdfast::op
