// Schedules.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText schedule_list[] = {
    {"ScheduleStart",
     "The workflow that it starts. `${due}` in texts of the arguments and in the business key is "
     "the due time.",
     R"({"definition": "string", "arguments?": "any", "businessKey?": "string|null"})",
     R"({"definition": "report", "arguments": ["${due}"], "businessKey": "report-${due}"})"},
    {"ScheduleSend", "The event that it sends; without a workflow, a broadcast.",
     R"({"event": "string", "value?": "any", "correlationKey?": "string|null",
         "workflow?": "string|null", "fanOut?": {"$": {"enum": ["one", "all", null]}}})",
     R"({"event": "tick", "value": {"due": "${due}"}})"},
    {"ScheduleRequest",
     "When: `cron`, five fields in a zone, or `every`, an interval. What: `start` or `send`.",
     R"({"cron?": "string|null", "timeZone?": "string|null", "every?": "string|null",
         "from?": "string|null", "until?": "string|null", "start?": "ScheduleStart|null",
         "send?": "ScheduleSend|null", "overlap?": {"$": {"enum": ["skip", "queue", "cancel",
         "allow", null]}}, "catchUp?": "string|null", "jitter?": "string|null"})",
     R"({"cron": "0 2 * * *", "timeZone": "Europe/Berlin", "start": {"definition": "report"},
         "overlap": "skip", "catchUp": "1h"})"},
    {"UpcomingFiring", "When it is due, and when it fires: later by the jitter.",
     R"({"due": "Moment", "at": "Moment"})"},
    {"ScheduleRunning", "The workflow whose end it waits for.",
     R"({"workflow": "Uuid", "due": "Moment"})"},
    {"ScheduleBackfill", "What is still to be fired, from `next` to `to`.",
     R"({"next": "Moment", "to": "Moment", "overlap": ["queue", "allow"]})"},
    {"ScheduleFiring", "What it did; `workflow` is null for an event.",
     R"({"due": "Moment", "at": "Moment", "why": ["due", "caughtUp", "triggered", "backfill"],
         "workflow": "Uuid|null"})"},
    {"Schedule",
     "`skipped` counts what its overlap left out, `missed` what was due longer ago than `catchUp`.",
     R"({"name": "string", "id": "Uuid", "version": "Version",
         "status": ["active", "paused", "ended"], "incident": "boolean", "spec": "ScheduleRequest",
         "next": "Moment|null", "upcoming": "UpcomingFiring[]", "fired": "uint", "skipped": "uint",
         "missed": "uint", "running": "ScheduleRunning|null", "queued": "uint",
         "backfills": "ScheduleBackfill[]", "recent": "ScheduleFiring[]", "createdAt": "Moment",
         "by": "string|null"})"},
    {"SchedulePage", "A page of schedules.", R"({"items": "Schedule[]", "nextCursor": "Cursor"})"},
    {"ResumeScheduleRequest",
     "`catchUp`: what was due during the pause is made up for, as after an outage.",
     R"({"reason?": "string|null", "catchUp?": "boolean|null"})",
     R"({"reason": "the host is back"})"},
    {"TriggerRequest", "`overlap` instead of the schedule's.",
     R"({"overlap?": {"$": {"enum": ["skip", "queue", "cancel", "allow", null]}}})",
     R"({"overlap": "allow"})"},
    {"BackfillRequest",
     "All due times from `from` to `to`, both included: one after another, or all at once.",
     R"({"from": "Moment", "to": "Moment", "overlap?": {"$": {"enum": ["queue", "allow", null]}}})",
     R"({"from": "2026-01-01T00:00:00Z", "to": "2026-01-28T10:00:00Z", "overlap": "queue"})"},
};

}  // namespace

std::span<const SchemaText> schedule_schemas() { return schedule_list; }

}  // namespace holdfast::http
