// Tasks: receive tasks that start a process, scripts.
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {

void check_tasks(Reading& reading) {
    for (std::size_t i = 0; i < reading.elements.size(); ++i) {
        const FlowNode& node = reading.process.nodes[i];
        const Element element = reading.elements[i];
        if (node.task() && node.task()->instantiates && !node.incoming.empty())
            reading.document.error(ProblemKind::activity, element,
                                   "a receive task that starts the process has no incoming flow");
        const bool script = element.is("scriptTask") && element.child("script");
        if (script && reading.document.is_strict() && !element.attribute("scriptFormat"))
            reading.document.error(ProblemKind::script, element, "a script needs a scriptFormat");
    }
}

}  // namespace holdfast::bpmn
