// Errors as they stand in the journal, and the exceptions that they are.
#pragma once

#include <exception>

#include "flow/commands.h"

namespace holdfast::flow {

// {type, message}
Json to_json(const FailedAttempt& attempt);
FailedAttempt attempt_from_json(const Json& value);

// {type, message, retryable, attempts: [...]}: what a step that failed for good leaves.
Json step_error(const StepEnd& end, const std::vector<FailedAttempt>& earlier);
StepFailed step_failed(const std::string& step, const Json& error);

// What an exception that left a step's function says. `options` knows which are not retryable.
StepEnd describe_step_error(std::exception_ptr error, const StepOptions& options);

// What an exception that left a flow says: the code and the details of its end.
struct FlowError {
    std::string code;
    boost::json::object details;
};
FlowError describe_flow_error(std::exception_ptr error);

}  // namespace holdfast::flow
