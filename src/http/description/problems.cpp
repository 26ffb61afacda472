#include "http/description/problems.h"

#include <algorithm>

namespace holdfast::http {
namespace {

constexpr std::string_view current_version = R"({"currentVersion": 4})";
constexpr std::string_view status_and_version =
    R"({"workflowStatus": "succeeded", "currentVersion": 4})";
constexpr std::string_view place =
    R"({"currentRun": 1, "currentIndex": 3, "workflowStatus": "running"})";
constexpr std::string_view current_task = R"({"holder": "ada", "currentVersion": 2,
    "currentTask": {"id": "01890a5d-ac96-774b-bcce-b302099a8057", "state": "claimed"}})";

constexpr ProblemType types[] = {
    // of every request
    {"malformed-request", 400, "Malformed request", "The request violates HTTP/1.1 (RFC 9112)."},
    {"bad-host", 400, "Bad Host", "There is not exactly one well-formed Host header."},
    {"invalid-argument", 400, "Invalid argument",
     "A parameter, header or member is unknown, missing, repeated or out of range."},
    {"malformed-json", 400, "Malformed JSON", "The body is not JSON, or nested too deeply."},
    {"unauthorized", 401, "Unauthorized",
     "The API key or token is missing, wrong, expired or revoked.", "WWW-Authenticate"},
    {"not-allowed", 403, "Not allowed",
     "No role of the credential may do this, or it is for other definitions or for another user."},
    {"cross-site", 403, "Cross-site request", "A browser sent it for a page of another site."},
    {"no-such-route", 404, "No such route", "No route has this path."},
    {"method-not-allowed", 405, "Method not allowed", "The path has other methods.", "Allow"},
    {"request-timeout", 408, "Request timeout", "The request was received too slowly."},
    {"body-too-large", 413, "Body too large", "The body is larger than the route takes."},
    {"target-too-long", 414, "Target too long", "The request target is too long."},
    {"unsupported-media-type", 415, "Unsupported media type",
     "The body has another content type than the route takes, or an encoding."},
    {"expectation-failed", 417, "Expectation failed",
     "Expect has another value than 100-continue."},
    {"misdirected-host", 421, "Misdirected host", "The server does not serve this Host."},
    {"number-not-exact", 422, "Number cannot be represented exactly",
     "A number of the body would change when it is stored."},
    {"refused-by-store", 422, "Refused by the store", "The database refuses the values."},
    {"idempotency-key-reused", 422, "Idempotency-Key reused",
     "The key was used for another request."},
    {"overloaded", 429, "Overloaded", "A queue of the server is full; retry.", "Retry-After"},
    {"too-many-failures", 429, "Too many failures",
     "Too many wrong credentials came from the address.", "Retry-After"},
    {"too-many-open", 429, "Too many open",
     "The credential has as many streams or long polls open as it may have.", "Retry-After"},
    {"headers-too-large", 431, "Headers too large", "The headers are larger than allowed."},
    {"corrupt", 500, "Stored data is corrupt", "What is stored fails its checksum."},
    {"newer-schema", 500, "Database has a newer schema",
     "A newer version of the server has migrated the database."},
    {"in-use", 500, "Database in use", "Another process has the database."},
    {"internal", 500, "Internal error", "A bug; the log has more."},
    {"no-answer", 500, "Internal error", "A bug: the request was dropped; the log has more."},
    {"shutting-down", 503, "Shutting down", "The server ends; retry elsewhere.", "Retry-After"},
    {"store-unavailable", 503, "Store unavailable", "The database cannot be used now.",
     "Retry-After"},
    {"outcome-unknown", 503, "Outcome unknown",
     "The connection to the database broke during the commit; a repeat with the same "
     "Idempotency-Key learns the outcome.",
     "Retry-After"},
    {"audit-unavailable", 503, "Audit unavailable",
     "What was asked for is audited, and its row cannot be written.", "Retry-After"},
    {"too-many-responses", 503, "Too many large responses",
     "Responses that clients do not read fill the server's memory.", "Retry-After"},
    {"too-many-connections", 503, "Too many connections", "No connection is free.", "Retry-After"},
    {"http-version", 505, "HTTP version not supported", "It is not HTTP/1.1 or 1.0."},
    {"position-gone", 410, "The position is gone",
     "What happened behind the position is not kept any more; load again.", "",
     R"({"position": "1027"})"},
    // of workflows and their states
    {"not-found", 404, "Not found", "There is no workflow with this id."},
    {"unknown-definition", 404, "Not found", "There is no such definition or version of it."},
    {"no-model", 404, "Not found", "This version of the definition has no BPMN model."},
    {"invalid-model", 422, "Invalid model", "The BPMN model is refused.", "",
     R"({"problems": ["line 4: ..."]})"},
    {"definition-disabled", 409, "Disabled", "Nobody may start it until it is enabled."},
    {"not-startable", 409, "Started by events only", "Its process has no plain start event."},
    {"business-key-taken", 409, "The business key is taken",
     "Another workflow of the definition has it, and the request says that this matters.", "",
     R"({"workflow": "01890a5d-ac96-774b-bcce-b302099a8057", "workflowStatus": "running"})"},
    {"ended", 409, "The workflow has ended", "An ended workflow cannot be changed.", "",
     status_and_version},
    {"quarantined", 409, "Quarantined", "The stored state fails its checksum."},
    {"not-quarantined", 409, "Not quarantined", "There is nothing to release.", "",
     current_version},
    {"stale-version", 409, "State has been modified by another user",
     "If-Match names another version than the current one, which the problem carries.", "ETag",
     R"({"currentVersion": 4, "resolution": "rejected", "paths": ["/total"],
         "error": "State has been modified by another user",
         "currentState": {"total": 12}, "currentStateMetadata": {}, "message": "Fetch ..."})"},
    {"invalid-state", 422, "The state does not fit its definition",
     "The new state violates the schema of its definition.", "",
     R"({"violations": [{"path": "/total", "message": "must be a number"}]})"},
    {"patch-test-failed", 409, "A test of the patch failed", "A `test` of the patch does not hold.",
     "ETag", R"({"step": 0, "currentVersion": 4, "currentState": {"total": 12}})"},
    {"patch-not-applicable", 422, "The patch does not apply", "A step of the patch has no target.",
     "ETag", R"({"step": 0, "currentVersion": 4, "currentState": {"total": 12}})"},
    {"not-modified", 422, "Not modified", "The process cannot be changed so; nothing was changed."},
    {"not-migrated", 422, "Not migrated", "The workflow cannot have that version; it is unchanged.",
     "", R"({"problems": [{"element": "t", "why": "it is not there"}], "currentVersion": 4})"},
    {"nothing-to-retry", 409, "Nothing to retry", "It is not in a pause, stuck or put aside.", "",
     R"({"currentVersion": 4})"},
    {"no-such-bulk-job", 404, "Not found", "There is no bulk job with this id."},
    {"no-such-webhook", 404, "Not found", "There is no webhook with this id."},
    {"no-such-schedule", 404, "Not found", "There is no schedule of this name."},
    {"schedule-exists", 409, "The name is taken", "A schedule of this name exists.", "",
     current_version},
    {"invalid-schedule", 422, "Invalid schedule", "A member of the schedule is wrong.", "",
     R"({"violations": [{"path": "/cron", "message": "must have five fields"}]})"},
    {"schedule-refused", 422, "Not done", "The schedule cannot do that now; nothing was changed."},
    {"stopped", 409, "Stopped by a dead letter", "Its continuation is a dead letter.", "",
     R"({"workflowStatus": "running", "lastError": "..."})"},
    {"no-such-checkpoint", 404, "Not found", "The workflow has no checkpoint of this name."},
    {"checkpoint-exists", 409, "The name is taken", "A checkpoint of this name exists.", "",
     R"({"checkpointVersion": 2})"},
    {"runs-a-flow", 409, "A flow runs this workflow", "A workflow of a flow cannot be forked."},
    // of runners and workers
    {"overtaken", 409, "Overtaken", "The workflow is at another run or index by now.", "", place},
    {"not-waiting", 409, "Not waiting", "No wait is registered at this index.", "", place},
    {"unknown-workflow", 404, "Not found", "There is no workflow to wait for with this id.", "",
     R"({"workflow": "01890a5d-ac96-774b-bcce-b302099a8057"})"},
    {"diverged", 409, "Diverged", "The journal has another step at this index.", "",
     R"({"index": 3, "expected": {"name": "charge", "inputHash": null}})"},
    {"no-such-step", 404, "Not found", "The current run has no step at this index."},
    {"lease-ended", 409, "Lease ended", "The worker has no valid lease."},
    {"not-for-workers", 409, "Not for workers", "A definition is not for workers.", "",
     R"({"definition": "order"})"},
    // of events and signals
    {"not-exactly-one", 409, "Not exactly one receiver", "Nobody or several wait for the event.",
     "", R"({"waits": 0})"},
    {"too-many-events", 429, "Too many events", "The queue of the target or the name is full.",
     "Retry-After", R"({"limit": 10000, "unit": "events"})"},
    {"no-such-event", 404, "Not found", "No such event is known, or none in this state."},
    {"not-scheduled", 409, "The event is not scheduled", "It is due, or was not delayed."},
    {"signal-too-long", 413, "Signal too long", "The signal is larger than allowed.", "",
     R"({"limit": 262144})"},
    {"no-such-dead-letter", 404, "Not found", "There is no dead letter with this id."},
    {"retention-running", 409, "Retention is running", "A node runs retention now.", "",
     R"({"node": "a"})"},
    {"retention-refused", 409, "Retention refused", "The clock is not trusted."},
    {"no-such-key", 404, "Not found", "There is no valid API key with this id."},
    // of tasks
    {"no-such-task", 404, "Not found", "There is no task with this id."},
    {"task-ended", 409, "The task has ended", "An ended task cannot be changed.", "ETag",
     current_task},
    {"task-held", 409, "Another user holds the task", "It must be released first.", "ETag",
     current_task},
    {"not-the-holder", 409, "Not the holder of the task", "Only its holder may do this.", "ETag",
     current_task},
    {"not-a-candidate", 403, "Not a candidate for the task", "The user may not claim it.", "ETag",
     current_task},
    {"missing-outputs", 422, "Outputs are missing", "The task expects more outputs.", "",
     R"({"missing": ["approved"]})"},
};

constexpr std::string_view of_every_route[] = {
    "malformed-request",    "bad-host",        "invalid-argument",   "request-timeout",
    "body-too-large",       "target-too-long", "expectation-failed", "misdirected-host",
    "headers-too-large",    "internal",        "no-answer",          "too-many-responses",
    "too-many-connections", "http-version"};
constexpr std::string_view of_guarded_routes[] = {
    "unauthorized",  "too-many-failures", "not-allowed",    "cross-site",
    "overloaded",    "corrupt",           "newer-schema",   "in-use",
    "shutting-down", "store-unavailable", "outcome-unknown"};
constexpr std::string_view of_changes[] = {"cross-site", "unsupported-media-type",
                                           "refused-by-store"};
constexpr std::string_view of_workflow[] = {"not-found"};
constexpr std::string_view of_task[] = {"no-such-task"};
constexpr std::string_view of_definition[] = {"unknown-definition"};
constexpr std::string_view of_no_route[] = {"no-such-route",      "not-found",
                                            "method-not-allowed", "unauthorized",
                                            "cross-site",         "unsupported-media-type"};

}  // namespace

std::span<const ProblemType> problem_types() { return types; }

const ProblemType* find_problem(std::string_view slug) {
    const auto found = std::ranges::find(types, slug, &ProblemType::slug);
    return found == std::end(types) ? nullptr : &*found;
}

std::span<const std::string_view> shared_problems(SharedBy routes) {
    switch (routes) {
        case SharedBy::every_route: return of_every_route;
        case SharedBy::guarded_routes: return of_guarded_routes;
        case SharedBy::changes: return of_changes;
    }
    return {};
}

std::span<const std::string_view> problems_within(Within reach) {
    switch (reach) {
        case Within::workflow: return of_workflow;
        case Within::task: return of_task;
        case Within::definition:
        case Within::filter: return of_definition;
        case Within::store:
        case Within::handler:
        case Within::nothing: return {};
    }
    return {};
}

std::span<const std::string_view> routeless_problems() { return of_no_route; }

}  // namespace holdfast::http
