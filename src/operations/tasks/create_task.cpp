#include "operations/tasks/create_task.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

HumanTask new_task(const CreateTask& op, const Instance& instance, Moment now) {
    return {.id = task_of(op.cause.operation),
            .instance = op.instance,
            .definition = instance.definition.key,
            .business = instance.business,
            .spec = op.spec,
            .created_at = now};
}

}  // namespace

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

    const HumanTask& task = view.tasks().accept(
        new_task(op, *found, view.now()),
        {.type = TaskEventType::created, .user = {}, .detail = {}, .operation = op.cause.operation},
        view.now());
    Instance& instance = record_at_index(view, op.instance,
                                         {.instance = op.instance,
                                          .index = op.run.index,
                                          .name = op.step_name,
                                          .input_hash = op.input_hash,
                                          .value = Document::of(bj::value(to_string(task.id))),
                                          .at = view.now()});
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

bj::object to_json(const CreateTask& op) {
    bj::object object;
    object["operation"] = op.name;
    object["cause"] = holdfast::to_json(op.cause);
    object["clientKey"] = to_json(op.client_key);
    object["instance"] = to_string(op.instance);
    object["run"] = to_json(op.run);
    object["name"] = op.step_name;
    object["inputHash"] = to_hex(op.input_hash);
    object["task"] = holdfast::to_json(op.spec);
    return object;
}

bj::object to_json(const TaskCreated& outcome) {
    return named("taskCreated",
                 {{"task", holdfast::to_json(outcome.task)}, {"version", outcome.version}});
}

Result<TaskCreated> task_created_from_json(const bj::value& value) {
    HF_TRY(auto task, task_from_json(value.at("task")));
    return TaskCreated{std::move(task), value.at("version").to_number<Version>()};
}

}  // namespace holdfast::op
