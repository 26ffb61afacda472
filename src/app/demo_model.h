// The BPMN model of the demo: examples/shipping.bpmn, under a name of its own.
#pragma once

#include <string_view>

namespace holdfast::app {

std::string_view demo_model();

}  // namespace holdfast::app
