// Webhooks.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText webhook_list[] = {
    {"WebhookRequest",
     "Where to, and what: all if a filter is absent. `after`: from this position of the stream on.",
     R"({"url": "string", "definition?": "string|null", "businessKey?": "string|null",
         "workflow?": "Uuid|null", "kinds?": {"$": {"type": ["array", "null"],
         "items": {"enum": ["workflow", "incident", "task", "deadLetter", "deadEvent"]}}},
         "after?": "string|null"})",
     R"({"url": "HTTP://hooks.example.org/holdfast", "kinds": ["incident"]})"},
    {"RefusedRecord", "A record that the receiver refused; `again`: it will be posted again.",
     R"({"position": "string", "record": "object", "why": "string", "at": "string",
         "again?": "boolean"})"},
    {"Webhook", "`delivered`: up to there all was taken, or is in `refused`.",
     R"({"id": "Uuid", "version": "Version", "status": ["active", "failing", "paused", "removed"],
         "url": "string", "definition": "string|null", "businessKey": "string|null",
         "workflow": "Uuid|null", "kinds": "string[]", "delivered": "string", "count": "uint",
         "failures": "uint", "failure": "string|null", "failedAt": "string|null", "gaps": "uint",
         "refused": "RefusedRecord[]", "by": "string|null", "createdAt": "Moment"})"},
    {"CreatedWebhook", "`key` checks its signatures.", R"({"...": "Webhook", "key": "string"})"},
    {"WebhookPage", "A page of webhooks, the newest first.",
     R"({"items": "Webhook[]", "nextCursor": "Cursor"})"},
    {"WebhookPing", "`answered`: the status; null: there was no answer.",
     R"({"taken": "boolean", "answered": "uint|null", "why": "string|null"})"},
};

}  // namespace

std::span<const SchemaText> webhook_schemas() { return webhook_list; }

}  // namespace holdfast::http
