// Jobs of BPMN processes: the work that service, send, script and business rule tasks ask for.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "holdfast/errors.h"
#include "holdfast/values.h"

namespace holdfast {

struct Job {
    std::string id;
    std::string type;
    std::string workflow;
    std::string element;                         // of the model
    std::uint32_t attempt = 1;                   // 1, 2, 3, ...
    Json variables;                              // an object: all that the activity sees
    std::map<std::string, std::string> headers;  // from the model
};

// Returns variables for the process: an object, or null. It may run more than once: a node that
// dies leaves its jobs to others. What it throws is a failed attempt, unless it is a BpmnError.
using Worker = std::function<Json(const Job&)>;

// An error of the business, which the model catches by its code.
class BpmnError : public Exception {
public:
    explicit BpmnError(std::string code, const std::string& message = {})
        : Exception(message.empty() ? code : message), code_(std::move(code)) {}
    const std::string& code() const { return code_; }

private:
    std::string code_;
};

}  // namespace holdfast
