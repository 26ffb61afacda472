// What a program sets for its node, as settings of the engine.
#pragma once

#include "holdfast/node.h"
#include "node/engine.h"

namespace holdfast {

EngineOptions engine_options(const NodeOptions& options);

}  // namespace holdfast
