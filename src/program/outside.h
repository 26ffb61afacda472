// The program of definitions without one: an outside runner moves the instance on, and whatever
// ends its wait is recorded in the journal for it (001.20).
#pragma once

#include <memory>

#include "program/program.h"

namespace holdfast {

std::shared_ptr<const Program> outside_program();

}  // namespace holdfast
