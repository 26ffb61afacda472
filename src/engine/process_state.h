// The state of a process: `variables` is its root scope, `currentStep` says where it is and is the
// engine's, and other members are whoever's wrote them.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/instance.h"
#include "model/schema/state_schema.h"

namespace holdfast::engine {

namespace bj = boost::json;

bj::object variables_of(const Document& state);
// Without a step the process has ended.
Document state_with(const Document& state, const bj::object& variables,
                    const std::optional<std::string>& current_step);

// What of the wanted state cannot be so.
std::vector<SchemaViolation> check_process_state(const Document& current, const Document& wanted);
Document with_current_step(const Document& current, Document wanted);

}  // namespace holdfast::engine
