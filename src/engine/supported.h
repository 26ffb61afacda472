// Which elements of a process the engine cannot execute yet: such a process is refused.
#pragma once

#include <vector>

#include "bpmn/problem.h"
#include "bpmn/process/process.h"

namespace holdfast::engine {

std::vector<bpmn::Problem> not_supported(const bpmn::Process& process);

}  // namespace holdfast::engine
