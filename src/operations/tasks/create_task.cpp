#include "operations/tasks/create_task.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

const HumanTask& insert_task(View& view, const Instance& instance, const TaskId& id, TaskSpec spec,
                             const Cause& cause) {
    HumanTask task{.id = id,
                   .instance = instance.id,
                   .tenant = instance.tenant,
                   .definition = instance.definition.key,
                   .business = instance.business,
                   .spec = std::move(spec),
                   .created_at = view.now()};
    return view.tasks().accept(
        std::move(task),
        {.type = TaskEventType::created, .caller = {}, .detail = {}, .operation = cause.operation},
        view.now());
}

}  // namespace

void add_task(View& view, const InstanceId& instance, const TaskId& id, TaskSpec spec,
              const Cause& cause) {
    const HumanTask& task = insert_task(view, *view.find(instance), id, std::move(spec), cause);
    bj::object payload;
    payload["task"] = to_string(task.id);
    payload["name"] = task.spec.name;
    view.execute(
        view.edit(instance),
        {.type = HistoryType::task_created, .payload = json::canonical(payload), .cause = cause});
}

TaskId task_of(const OperationId& operation) { return {derive(operation.value, 3)}; }

void reads(const CreateTask& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.step(op.instance, op.run.index);
    read_fence(reads, op.instance, op.run);
}

CreateTask::Outcome decide(const CreateTask& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto repeat = answer_repeat(view, *found, op.run, op.step_name, op.input_hash))
        return repeat_as<CreateTask::Outcome>(*std::move(repeat));

    const HumanTask& task =
        insert_task(view, *found, task_of(op.cause.operation), op.spec, op.cause);
    Instance& instance = record_at_index(view, op.instance,
                                         {.instance = op.instance,
                                          .index = op.run.index,
                                          .name = op.step_name,
                                          .input_hash = op.input_hash,
                                          .value = Document::of(bj::value(to_string(task.id))),
                                          .at = view.now()},
                                         op.cause);
    bj::object payload;
    payload["index"] = op.run.index;
    payload["step"] = op.step_name;
    payload["task"] = to_string(task.id);
    payload["name"] = op.spec.name;
    view.execute(instance, {.type = HistoryType::task_created,
                            .payload = json::canonical(payload),
                            .cause = op.cause});
    return TaskCreated{task, instance.version};
}

}  // namespace holdfast::op
