// Nodes, retention and health.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText node_list[] = {
    {"Node", "A node or a worker.",
     R"({"id": "Uuid", "name": "string", "kind": "string", "programs": "string[]",
         "startedAt": "Moment", "lastBeatAt": "Moment", "leaseUntil": "Moment",
         "alive": "boolean"})"},
    {"Lock", "A job that one node does at a time.",
     R"({"name": "string", "owner": "string", "until": "Moment", "term": "uint",
         "held": "boolean"})"},
    {"NodePage", "A page of nodes, the oldest first, and all locks.",
     R"({"items": "Node[]", "locks": "Lock[]", "nextCursor": "Cursor"})"},
    {"Stranded", "A workflow that no live node can run.",
     R"({"workflow": "Uuid", "program": "string", "since": "Moment", "incident": "boolean"})"},
    {"StrandedPage", "A page of the queue; it may have none of them.",
     R"({"items": "Stranded[]", "nextCursor": "Cursor"})"},
    {"Incident", "An open workflow that cannot go on.",
     R"({"workflow": "Uuid", "definition": "Name", "definitionVersion": "uint",
         "code": "string|null", "businessKey": "string|null", "updatedAt": "Moment"})"},
    {"IncidentPage", "A page of incidents.", R"({"items": "Incident[]", "nextCursor": "Cursor"})"},
    {"Job", "Work that a process waits for.",
     R"({"id": "Uuid", "workflow": "Uuid", "type": "string|null", "element": "string|null",
         "attempts": "uint", "retries": "uint|null", "leased": "boolean", "enqueuedAt": "Moment",
         "visibleAt": "Moment"})"},
    {"JobPage", "A page of jobs.", R"({"items": "Job[]", "nextCursor": "Cursor"})"},
    {"RetentionWindows", "In seconds; 0: for ever, or never.",
     R"({"keepEnded": "uint", "staleAfter": "uint", "keepRecords": "uint", "keepHistory": "uint",
         "keepCleared": "uint", "keepConflicts": "uint"})"},
    {"RetentionReport", "What a run of retention did, or would do.",
     R"({"dryRun": "boolean", "at": "Moment", "deleted": "uint", "rows": "uint",
         "cancelled": "uint", "eligible": "uint", "more": "boolean",
         "windows": "RetentionWindows"})"},
    {"Setting", "A setting of the server. `sameAs`: it follows another one.",
     R"({"name": "string", "text": "string", "variable": "string|null", "values": "string[]",
         "source": ["default", "file", "environment", "flag"], "sameAs": "string|null"})",
     R"({"name": "keep-ended", "text": "Ended workflows are deleted after this time",
         "variable": "HOLDFAST_KEEP_ENDED", "values": ["90d"], "source": "file", "sameAs": null})"},
    {"SettingList", "Every setting of `serve`.", R"({"items": "Setting[]"})"},
    {"Health",
     "Whether the server is alive or ready; workflows whose program no node has do not make it "
     "unready.",
     R"({"status": ["alive", "ready"], "strandedWorkflows?": "uint"})"},
    {"OpenApi", "An OpenAPI document.",
     R"({"$": {"type": "object", "required": ["openapi", "info", "paths"]}})",
     R"({"openapi": "3.1.0", "info": {"title": "Holdfast", "version": "0.1.0"}, "paths": {}})"},
    {"BuildVersion", "The program and its version.", R"({"name": "string", "version": "string"})",
     R"({"name": "holdfast", "version": "0.1.0"})"},
};

}  // namespace

std::span<const SchemaText> node_schemas() { return node_list; }

}  // namespace holdfast::http
