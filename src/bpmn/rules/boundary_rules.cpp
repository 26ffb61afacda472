// Boundary events: where they are attached and where they lead.
#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

bool is_compensation_boundary(const Document& document, Element element) {
    for (const Element& definition : definitions_of(document, element))
        if (definition.is("compensateEventDefinition")) return true;
    return false;
}

void check_attached(Document& document, Element element) {
    const auto activity = document.find(element.text_of("attachedToRef"));
    if (!activity || !is_activity(*activity)) return;
    if (activity->parent() != element.parent())
        document.error(ProblemKind::boundary_event, element,
                       "it is attached to an activity of another process or sub-process");
    if (is_event_sub_process(*activity))
        document.error(ProblemKind::boundary_event, element,
                       "an event sub-process has no boundary events");
    for (const Element& definition : definitions_of(document, element))
        if (definition.is("cancelEventDefinition") && !activity->is("transaction"))
            document.error(ProblemKind::boundary_event, element,
                           "a cancel boundary event has to be attached to a transaction");
}

}  // namespace

void check_boundary_events(Reading& reading) {
    for (std::size_t i = 0; i < reading.elements.size(); ++i) {
        const Element element = reading.elements[i];
        if (!element.is("boundaryEvent")) continue;
        check_attached(reading.document, element);
        const bool flows_out = !reading.process.nodes[i].outgoing.empty();
        const bool compensation = is_compensation_boundary(reading.document, element);
        if (compensation && flows_out)
            reading.document.error(ProblemKind::boundary_event, element,
                                   "a compensation boundary event has no outgoing flow");
        if (!compensation && !flows_out && reading.document.is_strict())
            reading.document.error(ProblemKind::boundary_event, element,
                                   "a boundary event needs an outgoing flow");
    }
}

}  // namespace holdfast::bpmn
