#include "store/load_document.h"
#include "support/dump_table.h"

namespace holdfast::testing {
namespace {

std::optional<std::string> unless_empty(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}
std::optional<std::string> text_of(const std::optional<Document>& document) {
    return document ? std::optional(document->text()) : std::nullopt;
}

}  // namespace

std::vector<Table> task_tables() {
    return {
        {"tasks", {{Kind::id, "task_id"},           {Kind::instance, ""},
                   {Kind::text, "tenant"},          {Kind::text, "definition_key"},
                   {Kind::text, "business_key"},    {Kind::text, "name"},
                   {Kind::text, "queue"},           {Kind::text, "assignee"},
                   {Kind::list, "candidate_users"}, {Kind::list, "candidate_groups"},
                   {Kind::text, "payload"},         {Kind::list, "expected_outputs"},
                   {Kind::text, "outputs"},         {Kind::text, "error"},
                   {Kind::time, "due_at"},          {Kind::number, "priority"},
                   {Kind::text, "state"},           {Kind::text, "holder"},
                   {Kind::number, "version"},       {Kind::time, "created_at"},
                   {Kind::time, "updated_at"},      {Kind::time, "ended_at"}}},
        {"task_events",
         {{Kind::id, "task_id"},
          {Kind::number, "version"},
          {Kind::id, "instance_id"},
          {Kind::text, "type"},
          {Kind::text, "tenant"},
          {Kind::text, "user_id"},
          {Kind::text, "memberships"},
          {Kind::text, "detail"},
          {Kind::id, "operation_id"},
          {Kind::time, "at"}}},
    };
}

void dump_tasks(const memory::Tables& tables, Dump& dump) {
    for (const auto& [id, task] : tables.tasks)
        dump["tasks"].push_back(Line()
                                    .add(id)
                                    .add(task.instance)
                                    .add(task.tenant)
                                    .add(task.definition)
                                    .add(unless_empty(task.business.key))
                                    .add(task.spec.name)
                                    .add(unless_empty(task.spec.queue))
                                    .add(task.spec.assignee)
                                    .add(paths_text(task.spec.candidate_users))
                                    .add(paths_text(task.spec.candidate_groups))
                                    .add(task.spec.payload.text())
                                    .add(paths_text(task.spec.expected_outputs))
                                    .add(text_of(task.outputs))
                                    .add(text_of(task.error))
                                    .add(task.spec.due_at)
                                    .add(std::uint64_t{task.spec.priority})
                                    .add(name_of(task.state))
                                    .add(task.holder)
                                    .add(task.version)
                                    .add(task.created_at)
                                    .add(task.updated_at)
                                    .add(task.ended_at));
    for (const auto& [key, event] : tables.task_events)
        dump["task_events"].push_back(Line()
                                          .add(event.task)
                                          .add(event.version)
                                          .add(event.instance)
                                          .add(name_of(event.type))
                                          .add(event.caller.tenant)
                                          .add(unless_empty(event.caller.user))
                                          .add(memberships_to_json(event.caller))
                                          .add(event.detail.text())
                                          .add(event.operation)
                                          .add(event.at));
}

}  // namespace holdfast::testing
