// Values that many schemas share.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText value_list[] = {
    {"Uuid", "An id.",
     R"({"$": {"type": "string", "format": "uuid",
         "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"}})",
     R"("01890a5d-ac96-774b-bcce-b302099a8057")"},
    {"Moment", "A time in UTC, in microseconds.",
     R"({"$": {"type": "string", "format": "date-time", "pattern": "Z$"}})",
     R"("2026-01-28T10:00:00.000000Z")"},
    {"Duration", "A duration: `10s`, `24h`, `PT1H30M`.", R"({"$": {"type": "string"}})",
     R"("24h")"},
    {"Version", "Counts the changes; an `ETag` has it in quotes.",
     R"({"$": {"type": "integer", "minimum": 0}})", "3"},
    {"Digest", "A SHA-256 in hex.", R"({"$": {"type": "string", "pattern": "^[0-9a-f]{64}$"}})",
     R"("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")"},
    {"Name", "A key or name.", R"({"$": {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,128}$"}})",
     R"("order")"},
    {"Label", "1 to 256 bytes of UTF-8 without control characters.",
     R"({"$": {"type": "string", "minLength": 1, "maxLength": 256}})", R"("payment.received")"},
    {"Cursor", "Where the next page begins; null after the last one.",
     R"({"$": {"type": ["string", "null"]}})", "null"},
    {"Status", "Running and suspended workflows are open, the others have ended.",
     R"(["running", "suspended", "succeeded", "failed", "cancelled"])"},
    {"BusinessReference", "What the workflow is about, in the words of its users.",
     R"({"key": "string|null", "parts": {"$": {"type": "object",
         "additionalProperties": {"type": "string"}}}})",
     R"({"key": "order-7", "parts": {"region": "eu"}})"},
    {"BusinessInput", "What the workflow is about, in the words of its users.",
     R"({"key?": "string|null", "parts?": {"$": {"type": ["object", "null"],
         "additionalProperties": {"type": "string"}}}})",
     R"({"key": "order-7", "parts": {"region": "eu"}})"},
    {"NothingRequest", "An empty object.", "{}"},
    {"Winner", "What ended a wait.",
     R"({"type": ["event", "timer", "workflow", "cancelled"], "name": "string"})",
     R"({"type": "event", "name": "payment.received"})"},
};

}  // namespace

std::span<const SchemaText> value_schemas() { return value_list; }

}  // namespace holdfast::http
