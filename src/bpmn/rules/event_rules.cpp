// Which triggers an event may have, by its position, and which flows it needs.
#include <algorithm>
#include <array>

#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

using Position = Event::Position;

// The part before `EventDefinition`.
std::string_view trigger_name(Element definition) {
    std::string_view name = definition.name();
    name.remove_suffix(std::string_view("EventDefinition").size());
    return name;
}

struct AllowedTriggers {
    std::string_view position;
    ProblemKind kind;
    std::vector<std::string_view> triggers;
    bool none;  // may have none
};

const AllowedTriggers& allowed_at_start(const Event& start, Element scope) {
    static const AllowedTriggers process{"a start event of a process",
                                         ProblemKind::start_event,
                                         {"message", "timer", "conditional", "signal"},
                                         true};
    static const AllowedTriggers inner{
        "a start event of a sub-process", ProblemKind::start_event, {}, true};
    static const AllowedTriggers event{
        "the start event of an event sub-process",
        ProblemKind::start_event,
        {"message", "timer", "signal", "error", "escalation", "conditional", "compensate"},
        false};
    static const AllowedTriggers event_beside{
        "a non-interrupting start event of an event sub-process",
        ProblemKind::start_event,
        {"message", "timer", "signal", "escalation", "conditional"},
        false};
    if (scope.is("process")) return process;
    if (!is_event_sub_process(scope)) return inner;
    return start.interrupts ? event : event_beside;
}

const AllowedTriggers& allowed_triggers(const Event& event, Element scope) {
    static const AllowedTriggers catching{"an intermediate catch event",
                                          ProblemKind::intermediate_event,
                                          {"message", "timer", "conditional", "link", "signal"},
                                          false};
    static const AllowedTriggers throwing{"an intermediate throw event",
                                          ProblemKind::intermediate_event,
                                          {"message", "escalation", "compensate", "link", "signal"},
                                          true};
    static const AllowedTriggers end{
        "an end event",
        ProblemKind::end_event,
        {"message", "escalation", "error", "cancel", "compensate", "signal", "terminate"},
        true};
    static const AllowedTriggers boundary{"an interrupting boundary event",
                                          ProblemKind::boundary_event,
                                          {"message", "timer", "signal", "error", "escalation",
                                           "conditional", "cancel", "compensate"},
                                          false};
    static const AllowedTriggers boundary_beside{
        "a non-interrupting boundary event",
        ProblemKind::boundary_event,
        {"message", "timer", "signal", "escalation", "conditional"},
        false};
    switch (event.position) {
        case Position::start: return allowed_at_start(event, scope);
        case Position::intermediate_catch: return catching;
        case Position::intermediate_throw: return throwing;
        case Position::end: return end;
        case Position::boundary: break;
    }
    return event.interrupts ? boundary : boundary_beside;
}

void check_triggers(Document& document, const Event& event, Element element) {
    const AllowedTriggers& allowed = allowed_triggers(event, element.parent());
    const auto definitions = definitions_of(document, element);
    if (definitions.empty() && !allowed.none)
        document.error(allowed.kind, element,
                       std::string(allowed.position) + " needs an event definition");
    for (const Element& definition : definitions)
        if (std::ranges::find(allowed.triggers, trigger_name(definition)) == allowed.triggers.end())
            document.error(allowed.kind, element,
                           std::string(allowed.position) + " does not allow " +
                               std::string(definition.name()));
    // These end or jump: they cannot be combined with others.
    if (definitions.size() > 1)
        for (const Element& definition : definitions)
            if (definition.is("linkEventDefinition") || definition.is("cancelEventDefinition") ||
                definition.is("terminateEventDefinition"))
                document.error(allowed.kind, element,
                               "a multiple event does not allow " + std::string(definition.name()));
}

bool is_link(Element element) { return element.child("linkEventDefinition").has_value(); }

void check_intermediate_flows(Document& document, const FlowNode& node, Element element) {
    const bool thrown = node.event()->position == Position::intermediate_throw;
    const bool link = is_link(element);
    if (node.incoming.empty() && !(link && !thrown))
        document.error(ProblemKind::intermediate_event, element,
                       "an intermediate event needs an incoming flow");
    if (node.outgoing.empty() && !(link && thrown) && (document.is_strict() || !thrown))
        document.error(ProblemKind::intermediate_event, element,
                       "an intermediate event needs an outgoing flow");
    if (link && thrown && !node.outgoing.empty())
        document.error(ProblemKind::link, element, "a throwing link has no outgoing flow");
    if (link && !thrown && !node.incoming.empty())
        document.error(ProblemKind::link, element, "a catching link has no incoming flow");
}

void check_event_flows(Document& document, const FlowNode& node, Element element) {
    switch (node.event()->position) {
        case Position::start:
            if (node.outgoing.empty())
                document.error(ProblemKind::start_event, element,
                               "a start event needs an outgoing flow");
            break;
        case Position::end:
            if (node.incoming.empty() && document.is_strict())
                document.error(ProblemKind::end_event, element,
                               "an end event needs an incoming flow");
            else if (node.incoming.empty())
                document.warn(ProblemKind::ignored, element, "it is never reached");
            break;
        case Position::intermediate_catch:
        case Position::intermediate_throw: check_intermediate_flows(document, node, element); break;
        case Position::boundary: break;
    }
}

void check_cancel_end(Document& document, Element element) {
    for (const Element& definition : definitions_of(document, element))
        if (definition.is("cancelEventDefinition") && !element.parent().is("transaction"))
            document.error(ProblemKind::end_event, element,
                           "a cancel end event has to be in a transaction");
}

}  // namespace

void check_events(Reading& reading) {
    for (std::size_t i = 0; i < reading.elements.size(); ++i) {
        const FlowNode& node = reading.process.nodes[i];
        if (!node.event()) continue;
        const Element element = reading.elements[i];
        check_triggers(reading.document, *node.event(), element);
        check_event_flows(reading.document, node, element);
        if (element.is("endEvent")) check_cancel_end(reading.document, element);
    }
}

}  // namespace holdfast::bpmn
