// Converts between exceptions and their form in the journal.
#pragma once

#include <exception>

#include "flow/commands.h"

namespace holdfast::flow {

// {type, message}
Json to_json(const FailedAttempt& attempt);
FailedAttempt attempt_from_json(const Json& value);

// {type, message, retryable, attempts: [...]}: recorded when a step has failed finally.
Json step_error(const StepEnd& end, const std::vector<FailedAttempt>& earlier);
StepFailed step_failed(const std::string& step, const Json& error);

// Describes an exception of a step's function. `options` decides which are not retryable.
StepEnd describe_step_error(std::exception_ptr error, const StepOptions& options);

// Describes an exception of a flow: the code and details of its failure.
struct FlowError {
    std::string code;
    boost::json::object details;
};
FlowError describe_flow_error(std::exception_ptr error);

}  // namespace holdfast::flow
