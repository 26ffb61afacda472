#include "operations/tasks/complete_task.h"

#include <boost/json.hpp>

namespace holdfast::op {

namespace bj = boost::json;

namespace {

std::vector<std::string> missing_outputs(const HumanTask& task, const Document& outputs) {
    const bj::value value = outputs.value();
    const bj::object* object = value.if_object();
    std::vector<std::string> missing;
    for (const std::string& name : task.spec.expected_outputs)
        if (!object || !object->contains(name)) missing.push_back(name);
    return missing;
}

}  // namespace

void reads(const CompleteTask& op, ReadSet& reads) { read_task_end(reads, op.instance, op.task); }

CompleteTask::Outcome decide(const CompleteTask& op, View& view) {
    if (auto refused = refuse_access(op, view)) return *std::move(refused);
    const HumanTask& task = *find_task(view, op.instance, op.task);
    if (auto refused = refuse_change(op, task)) return *std::move(refused);
    if (task.holder != op.cause.caller.user) return NotHolder{task};
    auto missing = missing_outputs(task, op.outputs);
    if (!missing.empty()) return MissingOutputs{std::move(missing)};
    return TaskChanged{end_task(view, task,
                                {.state = TaskState::completed,
                                 .outputs = op.outputs,
                                 .error = {},
                                 .caller = op.cause.caller},
                                op.cause)};
}

}  // namespace holdfast::op
