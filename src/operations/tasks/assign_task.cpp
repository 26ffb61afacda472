#include "operations/tasks/assign_task.h"

#include <boost/json.hpp>

namespace holdfast::op {

namespace bj = boost::json;

namespace {

bj::value text_or_null(const std::optional<std::string>& text) {
    return text ? bj::value(*text) : bj::value(nullptr);
}

}  // namespace

void reads(const AssignTask& op, ReadSet& reads) { read_task(reads, op.instance, op.task); }

AssignTask::Outcome decide(const AssignTask& op, View& view) {
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    HumanTask task = *find_task(view, op.instance, op.task);
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    if (task.state == TaskState::claimed) return TaskHeld{task};
    bj::object detail;
    detail["from"] = text_or_null(task.spec.assignee);
    detail["to"] = text_or_null(op.assignee);
    task.spec.assignee = op.assignee;
    return TaskChanged{view.tasks().accept(std::move(task),
                                           {.type = TaskEventType::assigned,
                                            .caller = op.cause.caller,
                                            .detail = Document::of(detail),
                                            .operation = op.cause.operation},
                                           view.now())};
}

}  // namespace holdfast::op
