// Events, signals and dead letters.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText event_list[] = {
    {"EventOptionsRequest", "The event's value, and how it is delivered.",
     R"({"id?": "Uuid|null", "correlationKey?": "string|null", "value?": "any",
         "at?": "Moment|null", "after?": "Duration|null", "expireAfter?": "Duration|null",
         "onTargetEnded?": "string|null", "fanOut?": "string|null", "keep?": "boolean|null"})",
     R"({"value": {"amount": 12}, "expireAfter": "24h"})"},
    {"EventRequest", "The event's name and value, and how it is delivered.",
     R"({"name": "Label", "...": "EventOptionsRequest"})",
     R"({"name": "payment.received", "value": {"amount": 12}})"},
    {"EventReceipt", "What became of the event so far.",
     R"({"outcome": ["delivered", "queued", "scheduled", "fannedOut"], "id": "Uuid",
         "workflow?": "Uuid", "index?": "uint", "dueAt?": "Moment", "workflows?": "Uuid[]",
         "onTheWay?": "boolean"})",
     R"({"outcome": "delivered", "id": "01890a5d-ac96-774b-bcce-b302099a8057",
         "workflow": "01890a5d-ac96-774b-bcce-b302099a8058", "index": 3})"},
    {"Delivery", "Which workflow received the event.",
     R"({"workflow": "Uuid", "index": "uint", "at": "Moment"})"},
    {"EventFate", "What happened to an event; what is no longer stored is null.",
     R"({"id": "Uuid", "name": "string",
         "fate": ["queued", "scheduled", "delivered", "fannedOut", "expired", "dead", "discarded",
                  "cancelled"],
         "target": "Uuid|null", "acceptedAt": "Moment|null", "expiresAt": "Moment|null",
         "targetStatus": "Status|null", "endedAt": "Moment|null", "deliveries": "Delivery[]",
         "deliveryCount": "uint"})"},
    {"Event", "An event.",
     R"({"id": "Uuid", "name": "string", "correlationKey": "string", "target": "Uuid|null",
         "value": "any", "onTargetEnded": ["discard", "broadcast", "deadLetter"],
         "keep": "boolean", "acceptedAt": "Moment", "expiresAt": "Moment|null"})"},
    {"PendingEvent", "An event that waits for a receiver or for its time.",
     R"({"...": "Event", "expired": "boolean", "scheduled": "boolean"})"},
    {"PendingEventPage", "A page of pending events.",
     R"({"items": "PendingEvent[]", "nextCursor": "Cursor"})"},
    {"DeadEvent", "An event whose target ended before it took the event.",
     R"({"...": "Event", "targetStatus": "Status", "endedAt": "Moment"})"},
    {"DeadEventPage", "A page of dead events.",
     R"({"items": "DeadEvent[]", "nextCursor": "Cursor"})"},
    {"ReplayRequest", "Another target; the event's own if absent.", R"({"workflow?": "Uuid|null"})",
     R"({"workflow": "01890a5d-ac96-774b-bcce-b302099a8057"})"},
    {"SignalRequest", "An event for this workflow, through the queue of signals.",
     R"({"id?": "Uuid|null", "name": "Label", "value?": "any", "after?": "Duration|null"})",
     R"({"name": "payment.received", "value": {"amount": 12}})"},
    {"SignalReceipt", "Whether the signal is new.",
     R"({"outcome": ["queued", "repeated"], "id": "Uuid"})"},
    {"DeadLetter", "A signal that could not be handled.",
     R"({"id": "Uuid", "workflow": "Uuid", "type": "string",
         "reason": ["undecodable", "missingDefinition", "missingInstance", "inconsistentSnapshot",
                    "tooManyAttempts"],
         "detail": "string", "node": "string", "at": "Moment", "enqueuedAt": "Moment",
         "attempts": "uint", "bytes": "string", "program": "string|null", "envelope": "any"})"},
    {"DeadLetterPage", "A page of dead letters.",
     R"({"items": "DeadLetter[]", "nextCursor": "Cursor"})"},
    {"Redriven", "The signal is in the queue again.", R"({"id": "Uuid", "workflow": "Uuid"})"},
};

}  // namespace

std::span<const SchemaText> event_schemas() { return event_list; }

}  // namespace holdfast::http
