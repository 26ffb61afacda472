// The columns of human tasks and of what happened to them.
#pragma once

#include "model/task.h"
#include "store/tables/caller_columns.h"
#include "store/tables/instance_table.h"

namespace holdfast {

inline std::optional<TaskState> parse_name(std::string_view name, std::type_identity<TaskState>) {
    return parse_task_state(name);
}
inline std::optional<TaskEventType> parse_name(std::string_view name,
                                               std::type_identity<TaskEventType>) {
    return parse_task_event_type(name);
}

namespace tables {

// What a change of a task writes that leaves it open. Not its end, which most indexes have as their
// condition.
struct OpenTaskProgress {
    static constexpr std::string_view name = "open_task_progress";
    using Row = HumanTask;

    template <class Visit, class SomeTask>
    static void columns(Visit& visit, SomeTask& task) {
        visit("assignee", task.spec.assignee);
        visit("outputs", task.outputs);
        visit("error", task.error);
        visit("state", task.state);
        visit("holder", task.holder);
        visit("version", task.version);
        visit("updated_at", task.updated_at);
    }
};

// What any change of a task writes.
struct TaskProgress {
    static constexpr std::string_view name = "task_progress";
    using Row = HumanTask;

    template <class Visit, class SomeTask>
    static void columns(Visit& visit, SomeTask& task) {
        OpenTaskProgress::columns(visit, task);
        visit("ended_at", task.ended_at);
    }
};

// Without their instance, which is another column in each dialect.
struct Tasks {
    static constexpr std::string_view name = "tasks";
    using Row = HumanTask;

    template <class Visit, class SomeTask>
    static void columns(Visit& visit, SomeTask& task) {
        visit("task_id", task.id);
        visit("tenant", task.tenant);
        visit("definition_key", task.definition);
        visit("business_key", or_null(task.business.key));
        visit("business_parts", named_parts(task.business.parts));
        visit("name", task.spec.name);
        visit("queue", or_null(task.spec.queue));
        visit("candidate_users", texts(task.spec.candidate_users));
        visit("candidate_groups", texts(task.spec.candidate_groups));
        visit("payload", task.spec.payload);
        visit("expected_outputs", texts(task.spec.expected_outputs));
        visit("due_at", task.spec.due_at);
        visit("priority", task.spec.priority);
        visit("created_at", task.created_at);
        TaskProgress::columns(visit, task);
    }
};

struct TaskEvents {
    static constexpr std::string_view name = "task_events";
    using Row = TaskEvent;

    template <class Visit, class SomeEvent>
    static void columns(Visit& visit, SomeEvent& event) {
        visit("task_id", event.task);
        visit("version", event.version);
        visit("instance_id", event.instance);
        visit("type", event.type);
        visit("tenant", event.caller.tenant);
        visit("user_id", or_null(event.caller.user));
        visit("memberships", memberships(event.caller));
        visit("detail", event.detail);
        visit("operation_id", event.operation);
        visit("at", event.at);
    }
};

}  // namespace tables
}  // namespace holdfast
