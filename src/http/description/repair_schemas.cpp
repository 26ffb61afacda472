// Repairs: migration, retry, and bulk jobs.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText repair_list[] = {
    {"MigrateRequest", "Which version, and what elements are there if they have another id.",
     R"({"to": "uint", "mapping?": {"$": {"type": ["object", "null"],
         "additionalProperties": {"type": "string"}}}, "reason?": "string|null",
         "dryRun?": "boolean|null"})",
     R"({"to": 3, "mapping": {"approve": "approveByTwo"}, "reason": "new rules"})"},
    {"CarriedElement", "How many activities, tokens or waits go on, and where.",
     R"({"from": "string", "to": "string", "count": "uint"})"},
    {"ElementCount", "How many waits.", R"({"element": "string", "count": "uint"})"},
    {"MigrationProblem", "What stands against it; without an element, of the whole workflow.",
     R"({"element": "string", "why": "string"})"},
    {"Migration", "What became of the workflow, or would: `migrated` is false in a dry run.",
     R"({"version": "Version", "from": "uint", "to": "uint", "migrated": "boolean",
         "carried": "CarriedElement[]", "begun": "ElementCount[]", "ended": "ElementCount[]",
         "problems": "MigrationProblem[]"})"},
    {"ReasonRequest", "Why.", R"({"reason?": "string|null"})", R"({"reason": "the host is back"})"},
    {"RetriedWorkflow", "Its version after the retry began.", R"({"version": "Version"})"},
    {"BulkAction",
     "What is done to each workflow; `to` and `mapping` of a migration, `event` and "
     "`value` of an event.",
     R"({"do": ["migrate", "cancel", "pause", "resume", "retry", "send"], "to?": "uint",
         "mapping?": "object|null", "event?": "string", "value?": "any"})",
     R"({"do": "migrate", "to": 3})"},
    {"BulkJobRequest", "`query` has the filters of the list of workflows, by name.",
     R"({"query": {"$": {"type": "object", "additionalProperties": {"type": "string"}}},
         "action": "BulkAction", "reason?": "string|null", "dryRun?": "boolean|null"})",
     R"({"query": {"definition": "order", "status": "open"},
         "action": {"do": "migrate", "to": 3}, "reason": "new rules"})"},
    {"BulkRefusal", "Why workflows were refused, how many, and one of them.",
     R"({"why": "string", "count": "uint", "example": "string"})"},
    {"BulkJob", "`matched` is counted before the first workflow is changed.",
     R"({"id": "Uuid", "version": "Version", "status": ["running", "paused", "done", "stopped",
         "failed"], "query": "object", "action": "BulkAction", "reason": "string",
         "by": "string|null", "createdAt": "Moment", "endedAt": "Moment|null",
         "matched": "uint|null", "done": "uint", "refused": "uint", "left": "uint|null",
         "refusals": "BulkRefusal[]"})"},
    {"BulkJobPage", "A page of bulk jobs, the newest first.",
     R"({"items": "BulkJob[]", "nextCursor": "Cursor"})"},
    {"BulkSample", "What would become of a workflow; `why` it would be refused.",
     R"({"workflow": "Uuid", "why": "string|null"})"},
    {"BulkPlan", "How many workflows match, and what would become of the first ones.",
     R"({"matched": "uint", "more": "boolean", "sample": "BulkSample[]"})"},
};

}  // namespace

std::span<const SchemaText> repair_schemas() { return repair_list; }

}  // namespace holdfast::http
