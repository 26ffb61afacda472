// The program of flows as the rounds see it. The coroutine itself runs on the node that holds the
// instance's continuation; here is what the rounds do for it meanwhile.
#pragma once

#include <memory>

#include "program/program.h"

namespace holdfast {

std::shared_ptr<const Program> flow_program();

}  // namespace holdfast
