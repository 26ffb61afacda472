// A compiled process as a program: moves its tokens within the rounds.
#pragma once

#include <memory>

#include "bpmn/process/process.h"
#include "engine/settings.h"
#include "program/program.h"

namespace holdfast::engine {

std::shared_ptr<const Program> process_program(bpmn::Process process, Settings settings = {});

}  // namespace holdfast::engine
