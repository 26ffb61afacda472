// A `process` element, or a global task, to a Process: first every node, then what they refer to.
#pragma once

#include "bpmn/read/reading.h"

namespace holdfast::bpmn {

void read_process(Reading& reading, Element element);
// A process with this one task.
void read_global_task(Reading& reading, Element element);

}  // namespace holdfast::bpmn
