// Exceptions of flows, steps and nodes.
#pragma once

#include <boost/json/value.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace holdfast {

using Json = boost::json::value;

// The base class of the library's exceptions.
class Exception : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The program uses the API incorrectly. The message names the flow, the step and the fix.
class Misuse : public Exception {
public:
    using Exception::Exception;
};

// The store cannot be reached, or refused the change.
class Unavailable : public Exception {
public:
    using Exception::Exception;
};

// To be thrown by a step that must not be retried.
class NonRetryable : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// A failed attempt of a step.
struct FailedAttempt {
    std::string type;  // of the exception
    std::string message;

    bool operator==(const FailedAttempt&) const = default;
};

// Thrown into a flow after the last attempt of a step failed. A replay throws it again.
class StepFailed : public Exception {
public:
    StepFailed(std::string step_name, std::vector<FailedAttempt> all)
        : Exception("step '" + step_name +
                    "' failed: " + (all.empty() ? std::string() : all.back().message)),
          step(std::move(step_name)),
          attempts(std::move(all)) {}

    // The last attempt.
    const FailedAttempt& last() const { return attempts.back(); }

    std::string step;
    std::vector<FailedAttempt> attempts;  // oldest first, at least one
};

// The awaited workflow failed, was cancelled or was cleared.
class WorkflowFailed : public Exception {
public:
    WorkflowFailed(std::string workflow_id, std::string its_status, Json its_error)
        : Exception("workflow " + workflow_id + " " + its_status + describe(its_error)),
          id(std::move(workflow_id)),
          status(std::move(its_status)),
          error(std::move(its_error)) {}

    std::string id;
    std::string status;  // "failed", "cancelled" or "cleared"
    Json error;          // null: none was given

private:
    static std::string describe(const Json& error) {
        const auto* object = error.if_object();
        const auto* message = object ? object->if_contains("message") : nullptr;
        return message && message->is_string() ? ": " + std::string(message->get_string()) : "";
    }
};

// The workflow does not go on by itself: its continuation is a dead letter. Repair the cause and
// redrive the dead letter, or remove it, which fails the workflow.
class WorkflowStopped : public Exception {
public:
    WorkflowStopped(std::string workflow_id, std::string its_reason)
        : Exception("workflow " + workflow_id + " is stopped by a dead letter (" + its_reason +
                    "); repair the cause and redrive it, or remove it"),
          id(std::move(workflow_id)),
          reason(std::move(its_reason)) {}

    std::string id;
    std::string reason;  // as in the list of dead letters
};

// The awaited human task failed.
class TaskFailed : public Exception {
public:
    TaskFailed(const std::string& task_name, Json its_error)
        : Exception("task '" + task_name + "' failed"), error(std::move(its_error)) {}

    Json error;
};

// Thrown into a cancelled flow that has undos to run. The flow ends as cancelled even if it catches
// this.
class Cancelled : public Exception {
public:
    Cancelled() : Exception("the workflow was cancelled") {}
};

}  // namespace holdfast
