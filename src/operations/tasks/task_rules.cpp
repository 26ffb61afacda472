#include "operations/tasks/task_rules.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/events/send_event.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

bj::value value_or_null(const std::optional<Document>& document) {
    return document ? document->value() : bj::value(nullptr);
}
bj::value text_or_null(const std::string& text) {
    return text.empty() ? bj::value(nullptr) : bj::value(text);
}

TaskEventType event_of(TaskState ended) {
    switch (ended) {
        case TaskState::failed: return TaskEventType::failed;
        case TaskState::cancelled: return TaskEventType::cancelled;
        default: return TaskEventType::completed;
    }
}

Event notice_of(const HumanTask& task, const std::string& by, Moment now,
                const OperationId& operation) {
    bj::object value;
    value["task"] = to_string(task.id);
    value["outcome"] = name_of(task.state);
    value["outputs"] = value_or_null(task.outputs);
    value["error"] = value_or_null(task.error);
    value["by"] = text_or_null(by);
    return {.id = {derive(operation.value, 2)},
            .name = event_name_of(task.id),
            .target = task.instance,
            .value = Document::of(value),
            .accepted_at = now,
            .operation = operation,
            .correlation = {},
            .tenant = task.tenant};
}

// Delivers the event at once if the instance waits for it, else queues it.
void notify_instance(View& view, const HumanTask& task, const std::string& by, const Cause& cause) {
    Instance& instance = view.edit(task.instance);
    bj::object payload;
    payload["task"] = to_string(task.id);
    payload["outcome"] = name_of(task.state);
    payload["by"] = text_or_null(by);
    view.accept(
        instance,
        {.type = HistoryType::task_ended, .payload = json::canonical(payload), .cause = cause});
    // A full inbox must not keep a task from ending.
    route(view, notice_of(task, by, view.now(), cause.operation), no_limits, cause);
}

}  // namespace

void read_task(ReadSet& reads, const InstanceId& instance, const TaskId& task) {
    reads.instance(instance, Depth::row);
    reads.task(task);
}

const HumanTask* find_task(const View& view, const InstanceId& instance, const TaskId& task) {
    const HumanTask* found = view.find(instance) ? view.tasks().find(task) : nullptr;
    return found && found->instance == instance ? found : nullptr;
}

void read_task_end(ReadSet& reads, const InstanceId& instance, const TaskId& task) {
    read_task(reads, instance, task);
    read_route(reads, {}, instance);
}

HumanTask end_task(View& view, HumanTask task, TaskEnding ending, const Cause& cause) {
    bj::object detail;
    if (ending.outputs) detail["outputs"] = ending.outputs->value();
    if (ending.error) detail["error"] = ending.error->value();
    task.state = ending.state;
    task.outputs = std::move(ending.outputs);
    task.error = std::move(ending.error);
    task = view.tasks().accept(std::move(task),
                               {.type = event_of(ending.state),
                                .caller = ending.caller,
                                .detail = Document::of(detail),
                                .operation = cause.operation},
                               view.now());
    // A write of the whole instance may have ended it and left its tasks open.
    if (is_open(view.find(task.instance)->status))
        notify_instance(view, task, ending.caller.user, cause);
    return task;
}

namespace {

void cancel_with_reason(View& view, HumanTask task, const char* reason, const Cause& cause) {
    task.state = TaskState::cancelled;
    bj::object detail;
    detail["reason"] = reason;
    view.tasks().accept(std::move(task),
                        {.type = TaskEventType::cancelled,
                         .caller = {},
                         .detail = Document::of(detail),
                         .operation = cause.operation},
                        view.now());
}

}  // namespace

void cancel_open_tasks(View& view, const InstanceId& id, const Cause& cause) {
    for (HumanTask& task : view.tasks().open(id))
        cancel_with_reason(view, std::move(task), "the workflow has ended", cause);
}

void cancel_task(View& view, const InstanceId& instance, const TaskId& task, const Cause& cause) {
    const HumanTask* found = find_task(view, instance, task);
    if (found && is_open(found->state))
        cancel_with_reason(view, *found, "the workflow does not need it any more", cause);
}

}  // namespace holdfast::op
