// Human tasks.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText task_list[] = {
    {"CreateTaskRequest", "A task at the current index of a runner.",
     R"({"run": "uint", "index": "uint", "name": "Label", "queue?": "string|null",
         "assignee?": "string|null", "candidateUsers?": "string[]|null",
         "candidateGroups?": "string[]|null", "payload?": "any",
         "expectedOutputs?": "string[]|null", "dueAt?": "string|null", "priority?": "uint|null",
         "lease?": "Lease|null"})",
     R"({"run": 1, "index": 2, "name": "approve", "candidateGroups": ["finance"],
         "expectedOutputs": ["approved"], "priority": 5})"},
    {"Task", "A human task.",
     R"({"id": "Uuid", "version": "Version",
         "state": ["created", "claimed", "completed", "failed", "cancelled"],
         "holder": "string|null", "workflow": "Uuid", "definition": "string",
         "businessReference": "BusinessReference", "name": "string", "queue": "string|null",
         "assignee": "string|null", "candidateUsers": "string[]", "candidateGroups": "string[]",
         "payload": "any", "expectedOutputs": "string[]", "dueAt": "Moment|null",
         "priority": "uint", "outputs": "any", "error": "any", "createdAt": "Moment",
         "updatedAt": "Moment", "endedAt": "Moment|null"})"},
    {"RecordedTask", "The task that was created at this index before.",
     R"({"outcome": ["alreadyRecorded"], "index": "uint", "task": "any"})"},
    {"TaskPage", "A page of tasks.", R"({"items": "Task[]", "nextCursor": "Cursor"})"},
    {"TaskEvent", "A change of a task.",
     R"({"version": "Version",
         "type": ["created", "assigned", "claimed", "released", "reassigned", "completed",
                  "failed", "cancelled"],
         "user": "string|null", "detail": "any", "operation": "Uuid", "at": "Moment",
         "groups?": "string[]", "roles?": "string[]", "by?": "string", "tenant?": "string"})"},
    {"TaskEventPage", "A page of the changes of a task, the oldest first.",
     R"({"items": "TaskEvent[]", "nextCursor": "Cursor"})"},
    {"ActorRequest", "The acting user.", R"({"user?": "Label|null", "groups?": "string[]|null"})",
     R"({"user": "ada", "groups": ["finance"]})"},
    {"AssignRequest", "The acting user and the new assignee; null unassigns the task.",
     R"({"...": "ActorRequest", "assignee": "string|null"})",
     R"({"user": "ada", "assignee": "bo"})"},
    {"DelegateRequest", "The acting user and to whom the task goes.",
     R"({"...": "ActorRequest", "to": "Label"})", R"({"user": "ada", "to": "bo"})"},
    {"CompleteTaskRequest", "The acting user and the outputs.",
     R"({"...": "ActorRequest", "outputs?": "object"})",
     R"({"user": "ada", "outputs": {"approved": true}})"},
    {"FailTaskRequest", "The acting user and the error.",
     R"({"...": "ActorRequest", "error?": "any"})", R"({"user": "ada", "error": "no budget"})"},
};

}  // namespace

std::span<const SchemaText> task_schemas() { return task_list; }

}  // namespace holdfast::http
