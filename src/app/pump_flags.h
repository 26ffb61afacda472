// Flags of `serve` for signals, durability and retention.
#pragma once

#include "app/serve.h"

namespace CLI {
class App;
}

namespace holdfast::app {

void add_pump_flags(CLI::App& command, ServeOptions& options);

}  // namespace holdfast::app
