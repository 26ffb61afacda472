// Outside runners and workers.
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

constexpr SchemaText runner_list[] = {
    {"Lease", "The lease of a worker, as its claim returned it.",
     R"({"worker": "Uuid", "epoch": "uint"})"},
    {"WaitRequest", "What ends the wait: an event, a time, the end of another workflow.",
     R"({"run": "uint", "index": "uint", "names?": "any", "until?": "string|null",
         "after?": "Duration|null", "workflows?": "Uuid[]|null", "since?": "string|null",
         "lease?": "Lease|null"})",
     R"({"run": 1, "index": 3, "names": ["payment.received"], "after": "24h"})"},
    {"WaitAnswer", "`suspended`: the wait goes on; `delivered`: it ended.",
     R"({"outcome": ["suspended", "delivered"], "index": "uint", "token?": "Uuid",
         "winner?": "Winner", "value?": "any"})",
     R"({"outcome": "delivered", "index": 3, "value": {"amount": 12},
         "winner": {"type": "event", "name": "payment.received"}})"},
    {"StepRequest", "The result of a step: `value` or `error`.",
     R"({"run": "uint", "name": "Label", "inputHash": "string", "value?": "any", "error?": "any",
         "lease?": "Lease|null"})",
     R"({"run": 1, "name": "charge", "value": {"receipt": "r-9"}, "inputHash":
         "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"})"},
    {"Step", "A recorded step.",
     R"({"index": "uint", "name": "string", "inputHash": "Digest|null", "value?": "any",
         "error?": "any", "at": "Moment", "winner": "Winner|null"})"},
    {"RecordedStep", "The step was recorded.",
     R"({"outcome": ["recorded"], "index": "uint", "version": "Version"})"},
    {"KnownStep", "The same step was recorded before.",
     R"({"outcome": ["alreadyRecorded"], "index": "uint", "step": "Step"})"},
    {"CompleteRequest", "The result of the workflow.",
     R"({"run": "uint", "index": "uint", "result?": "any", "lease?": "Lease|null"})",
     R"({"run": 1, "index": 4, "result": {"shipped": true}})"},
    {"FailRequest", "Why the workflow failed.",
     R"({"run": "uint", "index": "uint", "code?": "string|null", "error?": "any",
         "lease?": "Lease|null"})",
     R"({"run": 1, "index": 4, "code": "declined", "error": {"card": "expired"}})"},
    {"ContinueRequest", "The arguments of the next run.",
     R"({"run": "uint", "index": "uint", "arguments?": "any", "lease?": "Lease|null"})",
     R"({"run": 1, "index": 4, "arguments": [7]})"},
    {"EndedRun", "The workflow has ended.", R"({"version": "Version", "status": "Status"})"},
    {"NextRun", "Where the next run begins.",
     R"({"version": "Version", "run": "uint", "index": "uint"})"},
    {"WorkerRequest", "A worker: 1 to 64 definitions, a lease of `1s` to `1h`.",
     R"({"name": "Label", "definitions": "Name[]", "lease?": "Duration|null"})",
     R"({"name": "billing-1", "definitions": ["order"], "lease": "30s"})"},
    {"Worker", "A worker and the end of its lease.",
     R"({"id": "Uuid", "name": "string", "definitions": "string[]", "leaseUntil": "Moment"})"},
    {"RenewRequest", "How long the lease is; `30s` if absent.", R"({"lease?": "Duration|null"})",
     R"({"lease": "30s"})"},
    {"RenewedLease", "The end of the lease.", R"({"id": "Uuid", "leaseUntil": "Moment"})"},
    {"ClaimRequest", "How many, 1 to 256; 1 if absent.", R"({"limit?": "uint|null"})",
     R"({"limit": 10})"},
    {"Claimed", "A workflow that the worker holds.",
     R"({"workflow": "Uuid", "definition": "string", "definitionVersion": "uint", "run": "uint",
         "index": "uint", "attempts": "uint", "signal": "Uuid", "lease": "Lease"})"},
    {"Claims", "What the worker holds now, the oldest first.", R"({"items": "Claimed[]"})"},
    {"GiveBackRequest", "What it gives back; `begun: false` does not count as an attempt.",
     R"({"signal": "Uuid", "epoch": "uint", "after?": "Duration|null", "begun?": "boolean|null"})",
     R"({"signal": "01890a5d-ac96-774b-bcce-b302099a8057", "epoch": 1, "after": "10s"})"},
};

}  // namespace

std::span<const SchemaText> runner_schemas() { return runner_list; }

}  // namespace holdfast::http
